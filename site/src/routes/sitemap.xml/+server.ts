// The sitemap, rendered at most every five seconds: what is hidden has to leave it.
import { sitemap } from '#lib/server/sitemap.ts'
import type { RequestHandler } from './$types'

/** It reads 64 pages of lists. */
const PAUSE_MILLISECONDS = 5_000

const made = new Map<string, { text: Promise<string>; at: number }>()

export const GET: RequestHandler = async ({ locals, url: { origin } }) => {
  let known = made.get(origin)
  if (!known || Math.abs(Date.now() - known.at) > PAUSE_MILLISECONDS) {
    known = { text: sitemap(locals.api, origin), at: Date.now() }
    made.set(origin, known)
    known.text.catch(() => made.delete(origin))
  }
  const headers = { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'private, max-age=5' }
  return new Response(await known.text, { headers })
}
