// Serves what operations say, and what slices declare to be read, in the words of another protocol (request/endpoint.ts).
import type { Context, Hono } from 'hono'
import { Problem } from '../../contract/problem.ts'
import type { BoundOperation } from '../../core/bind.ts'
import { parseInput } from '../../core/call-body.ts'
import type { Core } from '../../core/call-request.ts'
import { problemOf } from '../../core/fault.ts'
import { callGiven } from '../../core/given-call.ts'
import { isPrivate } from '../../core/readers.ts'
import { cookieIn, presentedToken } from '../../request/credentials.ts'
import type { Ask, AskedPath, ReadPath } from '../../request/endpoint.ts'
import { required } from '../../runtime/untyped.ts'
import { mountReport } from './document.ts'
import type { Env } from './pipeline.ts'
import { nameRequest } from './pipeline.ts'
import { mountReadable, refused } from './readable.ts'
import { jsonAnswer, openHeaders, transportHeaders } from './response.ts'

interface Calling {
  core: Core
  operations: ReadonlyMap<string, BoundOperation>
  cookieName: string
}

export function mountAskedPaths(app: Hono<Env>, paths: readonly AskedPath[], calling: Calling): void {
  for (const asked of paths) mountReport(app, asked.path, (c) => serve(c, asked, calling))
}

async function serve(c: Context<Env>, { path, area, input, isThere, answer }: AskedPath, calling: Calling) {
  const { dependencies } = calling.core
  const { config } = dependencies
  const { env, req } = c
  nameRequest(env, `GET ${path}`, path)
  try {
    if (!isThere(config)) throw new Problem('not_found', 'There is nothing here')
    const said = await answer(askerFor(c, calling), parseInput(input, { ...req.query(), ...req.param() }))
    const headers = { ...openHeaders, ...transportHeaders(config), 'Cache-Control': 'no-store' }
    const all = { ...headers, 'X-Request-Id': env.requestId }
    if (!('location' in said)) return jsonAnswer(200, JSON.stringify(said), all)
    return new Response(null, { status: 302, headers: { ...all, Location: `${config.baseUrl}${said.location}` } })
  } catch (error) {
    const problem = problemOf(error, dependencies, { requestId: env.requestId, operation: path })
    return refused(c, { problem, area, baseUrl: config.baseUrl })
  }
}

/** Calls operations with the credentials of a request. */
function askerFor({ env, req: { raw } }: Context<Env>, { core, operations, cookieName }: Calling): Ask {
  const credentials = { sessionToken: cookieIn(raw.headers, cookieName), accessToken: presentedToken(raw) }
  const from = { requestId: env.requestId, address: env.address ?? '127.0.0.1', credentials }
  return async (name, input) => (await callGiven(core, required(operations.get(name)), { ...from, input })).output
}

interface ReadPathOptions {
  core: Core
  cookieName: string
}

export function mountReadPaths(app: Hono<Env>, paths: readonly ReadPath[], options: ReadPathOptions): void {
  for (const one of paths) mountReadable(app, { ...options, ...one }, (c) => serveReading(c, one, options.core))
}

async function serveReading(c: Context<Env>, { path, input, read }: ReadPath, core: Core): Promise<Response> {
  const { dependencies } = core
  const { config } = dependencies
  const { env, req } = c
  nameRequest(env, `GET ${path}`, path)
  try {
    const body = await read(dependencies, parseInput(input, { ...req.query(), ...req.param() }))
    const headers = { ...openHeaders, ...transportHeaders(config), 'Cache-Control': 'no-cache' }
    if (!isPrivate(config)) env.keep?.(body, headers)
    return jsonAnswer(200, body, { ...headers, 'X-Request-Id': env.requestId })
  } catch (error) {
    throw problemOf(error, dependencies, { requestId: env.requestId, operation: path })
  }
}
