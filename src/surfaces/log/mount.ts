// The log of what is public, for reading by any program: static resources as c2sp.org/tlog-tiles lays them out.
import type { Context, Hono } from 'hono'
import { mountReport, notFoundAnswer } from '../http/document.ts'
import type { Env } from '../http/pipeline.ts'
import { mountReadable, type ReadableOptions } from '../http/readable.ts'
import { openHeaders } from '../http/response.ts'

const serving = () => import('../../transparency/serving.ts')

const PREFIX = '/log/'
const TEXT = 'text/plain; charset=utf-8'
/** A tile never changes: its path has its width. */
const IMMUTABLE = 'public, max-age=31536000, immutable'
const BRIEFLY = 'public, max-age=1'

/** Serves the log. Where the instance is private, its leaves and their number are for readers; its key is no content. */
export function mountLog(app: Hono<Env>, options: ReadableOptions): void {
  const { dependencies } = options.core
  const read = (path: string, serve: (c: Context<Env>) => Promise<Response>) =>
    mountReadable(app, { ...options, path: PREFIX + path }, serve)
  read('checkpoint', async (c) => answer(c, await (await serving()).checkpointOf(dependencies), [TEXT, BRIEFLY]))
  mountReport(app, `${PREFIX}key`, async (c) =>
    answer(c, `${await (await serving()).logKeyOf(dependencies)}\n`, [TEXT, BRIEFLY]),
  )
  read('tile/*', async (c) => {
    const path = c.req.path.slice(`${PREFIX}tile/`.length)
    return answer(c, await (await serving()).tileOf(dependencies.db, path), ['application/octet-stream', IMMUTABLE])
  })
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
