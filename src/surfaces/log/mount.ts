// The log of what is public, for reading by any program: static resources as c2sp.org/tlog-tiles lays them out.
import type { Context, Hono } from 'hono'
import type { Dependencies } from '../../request/handler.ts'
import { checkpointOf, logKeyOf, tileOf } from '../../transparency/serving.ts'
import { mountReport, notFoundAnswer } from '../http/document.ts'
import { openHeaders } from '../http/headers.ts'
import type { Env } from '../http/pipeline.ts'

const PREFIX = '/log/'
const TEXT = 'text/plain; charset=utf-8'
/** A tile never changes: its path has its width. */
const IMMUTABLE = 'public, max-age=31536000, immutable'
const BRIEFLY = 'public, max-age=1'

export function mountLog(app: Hono<Env>, dependencies: Dependencies): void {
  mountReport(app, `${PREFIX}checkpoint`, async (c) => answer(c, await checkpointOf(dependencies), [TEXT, BRIEFLY]))
  mountReport(app, `${PREFIX}key`, async (c) => answer(c, `${await logKeyOf(dependencies)}\n`, [TEXT, BRIEFLY]))
  mountReport(app, `${PREFIX}tile/*`, async (c) => {
    const path = c.req.path.slice(`${PREFIX}tile/`.length)
    return answer(c, await tileOf(dependencies.db, path), ['application/octet-stream', IMMUTABLE])
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
