// The log of what is public, for reading by any program: static resources as c2sp.org/tlog-tiles lays them out.
import type { Context, Hono } from 'hono'
import type { Area } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import type { Core } from '../../core/call-request.ts'
import { requireReading } from '../../core/reading.ts'
import { cookieIn } from '../../request/cookie.ts'
import { presentedToken } from '../../request/credentials.ts'
import { mountReport, notFoundAnswer } from '../http/document.ts'
import { openHeaders } from '../http/headers.ts'
import type { Env } from '../http/pipeline.ts'
import { refusal } from '../http/response.ts'

const serving = () => import('../../transparency/serving.ts')

const PREFIX = '/log/'
const TEXT = 'text/plain; charset=utf-8'
/** A tile never changes: its path has its width. */
const IMMUTABLE = 'public, max-age=31536000, immutable'
const BRIEFLY = 'public, max-age=1'

interface LogOptions {
  core: Core
  cookieName: string
  /** The area whose content the log is of. */
  area: Area
}

/** Serves the log. Where the instance is private, its leaves and their number are for readers; its key is no content. */
export function mountLog(app: Hono<Env>, { core, cookieName, area }: LogOptions): void {
  const { dependencies } = core
  const read = (path: string, serve: (c: Context<Env>) => Promise<Response>) =>
    mountReport(app, PREFIX + path, async (c) => {
      const { raw } = c.req
      const credentials = { sessionToken: cookieIn(raw.headers, cookieName), accessToken: presentedToken(raw) }
      try {
        await requireReading(core, credentials, { area })
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        return refused(c, { problem: error, area, baseUrl: dependencies.config.baseUrl })
      }
      return serve(c)
    })
  read('checkpoint', async (c) => answer(c, await (await serving()).checkpointOf(dependencies), [TEXT, BRIEFLY]))
  mountReport(app, `${PREFIX}key`, async (c) =>
    answer(c, `${await (await serving()).logKeyOf(dependencies)}\n`, [TEXT, BRIEFLY]),
  )
  read('tile/*', async (c) => {
    const path = c.req.path.slice(`${PREFIX}tile/`.length)
    return answer(c, await (await serving()).tileOf(dependencies.db, path), ['application/octet-stream', IMMUTABLE])
  })
}

function refused(
  c: Context<Env>,
  { problem, area, baseUrl }: { problem: Problem; area: Area; baseUrl: string },
): Response {
  const { status, body, headers } = refusal(problem, { access: { area, credential: 'required' } }, baseUrl)
  const all = { ...openHeaders, ...headers, 'Cache-Control': 'no-store', 'X-Request-Id': c.env.requestId }
  return Response.json(body, { status, headers: all })
}

function answer(
  c: Context<Env>,
  body: string | Uint8Array | undefined,
  [contentType, caching]: readonly [string, string],
): Response {
  const { requestId } = c.env
  if (body === undefined) return notFoundAnswer(requestId)
  const headers = { ...openHeaders, 'Content-Type': contentType, 'Cache-Control': caching, 'X-Request-Id': requestId }
  return new Response(typeof body === 'string' ? body : new Uint8Array(body), { headers })
}
