// Things that are served but are no operations: a description, a health report. For reading only.
import { hash } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { newId } from '../../runtime/ids.ts'
import { apiHeaders } from './answer.ts'
import type { Env, Surroundings } from './http.ts'
import { isUnchanged } from './send-file.ts'

export interface Document {
  status: number
  contentType: string
  /** null for an answer without a body. */
  text: string | null
}

/** An answer with the headers that everything carries. */
export function documentAnswer({ status, contentType, text }: Document): Response {
  const type: Record<string, string> = text === null ? {} : { 'Content-Type': contentType }
  const headers = { ...apiHeaders, 'X-Request-Id': newId(), 'Cache-Control': 'no-cache', ...type }
  return new Response(text, { status, headers })
}

/** For paths outside the API that lead nowhere. */
export const notFoundAnswer = (): Response =>
  documentAnswer({ status: 404, contentType: 'text/plain; charset=utf-8', text: 'There is nothing here\n' })

/** Where a document is, and what it is. */
interface Place {
  path: string
  contentType: string
  /** A Link header (RFC 8288). */
  link?: string
}

/**
 * Serves what `make` gives, to pages of any origin; other methods than GET and HEAD get 405. It is made when it is first asked
 * for, and then stays as it is.
 */
export function mountDocument(app: Hono<Env>, { path, contentType, link }: Place, make: () => Promise<string>): void {
  let made: Promise<{ text: string; etag: string }> | undefined
  mount(app, path, async ({ headers }) => {
    made ??= make().then((text) => ({ text, etag: `"${hash('sha256', text, 'base64url')}"` }))
    const { text, etag } = await made
    const unchanged = isUnchanged(headers, etag)
    const answer = unchanged
      ? documentAnswer({ status: 304, contentType, text: null })
      : documentAnswer({ status: 200, contentType, text })
    answer.headers.set('ETag', etag)
    if (link) answer.headers.set('Link', link)
    answer.headers.set('Cache-Control', 'public, max-age=300')
    return answer
  })
}

/** Serves what `make` gives for each request. */
export function mountReport(
  app: Hono<Env>,
  path: string,
  make: (request: Request, env: Surroundings | undefined) => Promise<Response>,
): void {
  mount(app, path, make)
}

const ALLOW = 'GET, HEAD, OPTIONS'

function mount(
  app: Hono<Env>,
  path: string,
  read: (request: Request, env: Surroundings | undefined) => Promise<Response>,
): void {
  app.all(path, async ({ req, env }: Context<Env>) => {
    if (req.method === 'GET' || req.method === 'HEAD') return read(req.raw, env)
    const contentType = 'application/json; charset=utf-8'
    const answer =
      req.method === 'OPTIONS'
        ? documentAnswer({ status: 204, contentType, text: null })
        : documentAnswer({ status: 405, contentType, text: JSON.stringify({ error: `${path} is for reading` }) })
    answer.headers.set('Allow', ALLOW)
    if (req.method === 'OPTIONS') {
      answer.headers.set('Access-Control-Allow-Methods', ALLOW)
      answer.headers.set('Access-Control-Allow-Headers', 'Authorization, Content-Type, MCP-Protocol-Version')
      answer.headers.set('Access-Control-Max-Age', '86400')
    }
    return answer
  })
}
