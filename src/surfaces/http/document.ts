// Things that are served but are no operations: a description, a health report. For reading only.
import { hash } from 'node:crypto'
import type { Context, Hono } from 'hono'
import type { Env } from './pipeline.ts'
import { openHeaders, preflightHeaders } from './response.ts'
import { isUnchanged } from './send-file.ts'

export interface Document {
  status: number
  contentType: string
  /** null for an answer without a body. */
  text: string | null
}

/** An answer with the headers that everything carries. */
export function documentAnswer(id: string, { status, contentType, text }: Document): Response {
  const type: Record<string, string> = text === null ? {} : { 'Content-Type': contentType }
  const headers = { ...openHeaders, 'X-Request-Id': id, 'Cache-Control': 'no-cache', ...type }
  return new Response(text, { status, headers })
}

/** For paths outside the API that lead nowhere. */
export const notFoundAnswer = (id: string): Response =>
  documentAnswer(id, { status: 404, contentType: 'text/plain; charset=utf-8', text: 'There is nothing here\n' })

/** Where a document is, and what it is. */
interface Place {
  path: string
  contentType: string
  /** A Link header (RFC 8288). */
  link?: string
  /** What it is made of, where that changes: it is made again then. */
  basis?: () => string
  /** Whether it is there now; always unless told. */
  isThere?: () => boolean
}

/**
 * Serves what `make` gives, to pages of any origin; other methods than GET and HEAD get 405. It is made when it is first asked
 * for, and then stays as it is while its basis does.
 */
export function mountDocument(
  app: Hono<Env>,
  { path, contentType, link, basis, isThere }: Place,
  make: () => Promise<string>,
): void {
  let made: Promise<TaggedText> | undefined
  let madeOf: string | undefined
  mountReport(app, path, async (c) => {
    const requestId = c.env.requestId
    if (isThere && !isThere()) return notFoundAnswer(requestId)
    const present = basis?.()
    if (present !== madeOf) made = undefined
    madeOf = present
    made ??= make().then(tagged)
    const answer = taggedAnswer(c, contentType, await made)
    if (link) answer.headers.set('Link', link)
    return answer
  })
}

interface TaggedText {
  text: string
  etag: string
}

export const tagged = (text: string): TaggedText => ({ text, etag: `"${hash('sha256', text, 'base64url')}"` })

/** A document that everybody may keep for five minutes; 304 where the client has it. */
export function taggedAnswer(c: Context<Env>, contentType: string, { text, etag }: TaggedText): Response {
  const body = isUnchanged(c.req.raw.headers, etag) ? { status: 304, text: null } : { status: 200, text }
  const answer = documentAnswer(c.env.requestId, { contentType, ...body })
  answer.headers.set('ETag', etag)
  answer.headers.set('Cache-Control', 'public, max-age=300')
  return answer
}

const ALLOW = 'GET, HEAD, OPTIONS'

/** Serves what `make` gives for each request. */
export function mountReport(app: Hono<Env>, path: string, make: (c: Context<Env>) => Promise<Response>): void {
  app.all(path, async (c) => {
    const { method } = c.req
    if (method === 'GET' || method === 'HEAD') return make(c)
    const contentType = 'application/json; charset=utf-8'
    const [status, text, headers] =
      method === 'OPTIONS'
        ? [204, null, preflightHeaders(ALLOW, 'Authorization, Content-Type, MCP-Protocol-Version')]
        : [405, JSON.stringify({ error: `${path} is for reading` }), { Allow: ALLOW }]
    const answer = documentAnswer(c.env.requestId, { status, contentType, text })
    for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value)
    return answer
  })
}
