// Serves what slices declare to be read in the words of another protocol (request/endpoint.ts).
import type { Context, Hono } from 'hono'
import { parseInput } from '../../core/call-body.ts'
import type { Core } from '../../core/call-request.ts'
import { problemOf } from '../../core/fault.ts'
import { isPrivate } from '../../core/readers.ts'
import type { ReadPath } from '../../request/endpoint.ts'
import type { Env } from './pipeline.ts'
import { mountReadable } from './readable.ts'
import { nameRequest } from './request-log.ts'
import { jsonAnswer, openHeaders, transportHeaders } from './response.ts'

interface ReadPathOptions {
  core: Core
  cookieName: string
}

export function mountReadPaths(app: Hono<Env>, paths: readonly ReadPath[], options: ReadPathOptions): void {
  for (const one of paths) mountReadable(app, { ...options, ...one }, (c) => serve(c, one, options.core))
}

async function serve(c: Context<Env>, { path, input, read }: ReadPath, core: Core): Promise<Response> {
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
