// Serves repositories that slices declare (request/endpoint.ts) by the smart protocol of git over HTTP, for reading: `git clone` and `git fetch`.
// Who may not read is asked for Basic too, as git sends a token in no other way.
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Context, Hono } from 'hono'
import { Problem } from '../../contract/problem.ts'
import { requireReading } from '../../core/authorize.ts'
import { problemOf } from '../../core/fault.ts'
import type { Repository } from '../../formats/git/upload-pack.ts'
import { cookieIn, presentedToGit } from '../../request/credentials.ts'
import type { GitPath } from '../../request/endpoint.ts'
import { readBytes } from './body.ts'
import { mountReport } from './document.ts'
import type { Env } from './pipeline.ts'
import { nameRequest } from './pipeline.ts'
import { type ReadableOptions, refused } from './readable.ts'
import { openHeaders, preflightHeaders, transportHeaders } from './response.ts'

type GitOptions = Pick<ReadableOptions, 'core' | 'cookieName'>

/** Of a request, as it is unpacked. A client with a long history of other things sends more, and has nothing to fetch here. */
export const MAX_REQUEST_BYTES = 64 * 1024

const UPLOAD = 'git-upload-pack'
const ALLOW = 'OPTIONS, POST'

export function mountGitPaths(app: Hono<Env>, paths: readonly GitPath[], options: GitOptions): void {
  for (const one of paths) {
    const { path } = one
    mountReport(app, `${path}/info/refs`, (c) => serve(c, { ...one, ...options }, refs))
    app.all(`${path}/${UPLOAD}`, async (c) =>
      c.req.method === 'OPTIONS' ? preflight(c) : serve(c, { ...one, ...options }, fetched),
    )
    app.all(`${path}/git-receive-pack`, (c) => serve(c, { ...one, ...options }, refusePush))
  }
}

const preflight = ({ env: { requestId } }: Context<Env>) => {
  const own = preflightHeaders(ALLOW, 'Authorization, Content-Type, Git-Protocol')
  return new Response(null, { status: 204, headers: { ...openHeaders, ...own, 'X-Request-Id': requestId } })
}

type Serving = GitPath & GitOptions

/** The content type without `application/x-`, and what is sent. */
type Answer = (c: Context<Env>, repository: () => Promise<Repository>) => Promise<[string, BodyInit]>

async function serve(c: Context<Env>, one: Serving, answer: Answer): Promise<Response> {
  const { dependencies } = one.core
  const { env, req } = c
  nameRequest(env, `${req.method} ${one.path}`, one.path)
  try {
    await admit(c, one)
    const [type, body] = await answer(c, () => one.repository(dependencies))
    const headers = { ...openHeaders, ...transportHeaders(dependencies.config), 'Cache-Control': 'no-store' }
    return new Response(body, {
      headers: { ...headers, 'Content-Type': `application/x-${type}`, 'X-Request-Id': env.requestId },
    })
  } catch (error) {
    const problem = problemOf(error, dependencies, { requestId: env.requestId, operation: one.path })
    const answered = refused(c, { problem, area: one.area, baseUrl: dependencies.config.baseUrl })
    if (answered.status === 405) answered.headers.set('Allow', ALLOW)
    if (answered.status === 401) answered.headers.append('WWW-Authenticate', 'Basic realm="Guildhall"')
    return answered
  }
}

/** Who may read files may read the repository. */
async function admit({ req: { raw } }: Context<Env>, { core, cookieName, area, isThere }: Serving): Promise<void> {
  const { config } = core.dependencies
  if (!isThere(config)) throw new Problem('not_found', 'There is nothing here')
  const credentials = { sessionToken: cookieIn(raw.headers, cookieName), accessToken: presentedToGit(raw) }
  await requireReading(core, credentials, { area, needsAccount: !config.publicDownloads })
}

/** Loaded for the first request of git. */
const uploadPack = () => import('../../formats/git/upload-pack.ts')

const refs: Answer = async (c, repository) => {
  const service = c.req.query('service')
  if (service === 'git-receive-pack') throw readOnly()
  if (service !== UPLOAD) throw new Problem('invalid_request', `service: expected ${UPLOAD}`)
  const { advertisement, versionOf } = await uploadPack()
  const version = versionOf(c.req.header('git-protocol') ?? null)
  return [`${UPLOAD}-advertisement`, new Uint8Array(advertisement(version, await repository()))]
}

const fetched: Answer = async (c, repository) => {
  const { method, headers } = c.req.raw
  if (method !== 'POST') throw new Problem('method_not_allowed', `This path takes ${ALLOW}`)
  if (headers.get('content-type') !== `application/x-${UPLOAD}-request`)
    throw new Problem('invalid_request', `Send what git sends, with Content-Type: application/x-${UPLOAD}-request`)
  const body = await unpacked(Buffer.from(new Uint8Array(await readBytes(c.req.raw, MAX_REQUEST_BYTES))), headers)
  const { answerTo, versionOf } = await uploadPack()
  const { PacketError } = await import('../../formats/git/packets.ts')
  try {
    const pieces = answerTo(versionOf(headers.get('git-protocol')), body, await repository())
    return [`${UPLOAD}-result`, streamOf(pieces)]
  } catch (error) {
    if (error instanceof PacketError)
      throw new Problem('invalid_request', `The request is none of git: ${error.message}`)
    throw error
  }
}

const streamOf = (pieces: Iterable<Uint8Array>) => Readable.toWeb(Readable.from(pieces)) as BodyInit

const refusePush: Answer = async () => {
  throw readOnly()
}

const readOnly = () => new Problem('forbidden', 'This repository is for reading; publish to the library instead')

const unzip = promisify(gunzip)

/** Git packs a request of more than 1,024 bytes. */
async function unpacked(body: Buffer, headers: Headers): Promise<Buffer> {
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding === 'identity') return body
  if (encoding !== 'gzip' && encoding !== 'x-gzip')
    throw new Problem('invalid_request', 'Content-Encoding: expected gzip or nothing')
  try {
    return await unzip(body, { maxOutputLength: MAX_REQUEST_BYTES })
  } catch (error) {
    const isLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw isLong
      ? new Problem('too_large', `The body is larger than ${MAX_REQUEST_BYTES} bytes`)
      : new Problem('invalid_request', 'The body is no gzip')
  }
}
