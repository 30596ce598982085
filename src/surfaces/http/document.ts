// Things that are served but are no operations: a description, a health report. For reading only.
import type { Context, Hono } from 'hono'
import { newId } from '../../platform/ids.ts'
import { apiHeaders } from './answer.ts'
import type { Env } from './http.ts'

export interface Document {
  status: number
  contentType: string
  text: string
}

/** An answer with the headers that everything carries. */
export function documentAnswer({ status, contentType, text }: Document): Response {
  const headers = { ...apiHeaders, 'X-Request-Id': newId(), 'Cache-Control': 'no-cache', 'Content-Type': contentType }
  return new Response(text, { status, headers })
}

/** For paths outside the API that lead nowhere. */
export const notFoundAnswer = (): Response =>
  documentAnswer({ status: 404, contentType: 'text/plain; charset=utf-8', text: 'There is nothing here\n' })

/** Serves `make()` at `path` for GET and HEAD; other methods get 405. */
export function mountDocument(app: Hono<Env>, path: string, contentType: string, make: () => Promise<string>): void {
  mountReport(app, path, async () => ({ status: 200, contentType, text: await make() }))
}

/** The same for what has a status of its own. */
export function mountReport(app: Hono<Env>, path: string, make: () => Promise<Document>): void {
  app.all(path, async (c: Context<Env>) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return documentAnswer(await make())
    const text = JSON.stringify({ error: `${path} is for reading` })
    const answer = documentAnswer({ status: 405, contentType: 'application/json; charset=utf-8', text })
    answer.headers.set('Allow', 'GET, HEAD')
    return answer
  })
}
