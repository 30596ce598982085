// Atom feeds with an ETag, so that an unchanged feed costs no bytes, and readable by pages of any origin.
import { hash } from 'node:crypto'
import { isUnchanged } from '../http/send-file.ts'

/** The response with the headers of a feed, or a 304 without a body (RFC 9110, 15.4.5); other responses as they are. */
export async function feedResponse({ method, headers: asked }: Request, response: Response): Promise<Response> {
  const isFeed = response.headers.get('content-type')?.startsWith('application/atom+xml')
  if (!isFeed || response.status !== 200) return response
  const text = await response.text()
  const etag = `"${hash('sha256', text, 'base64url')}"`
  const headers = new Headers(response.headers)
  // The response to a HEAD has no text to make it of (RFC 9110, 9.3.2).
  if (method !== 'HEAD') headers.set('ETag', etag)
  headers.set('Access-Control-Allow-Origin', '*')
  headers.set('Access-Control-Expose-Headers', 'ETag')
  if (!isUnchanged(asked, etag)) return new Response(text, { headers })
  headers.delete('Content-Type')
  return new Response(null, { status: 304, headers })
}
