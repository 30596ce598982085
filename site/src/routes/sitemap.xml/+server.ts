// The sitemap, rendered at most every five seconds: what is hidden has to leave it.
import { sitemap } from '#lib/server/sitemap.ts'
import type { RequestHandler } from './$types'

/** It reads 64 pages of lists. */
const PAUSE_MILLISECONDS = 5_000

const made = new Map<string, { text: Promise<string>; at: number }>()

export const GET: RequestHandler = async ({ locals, url: { origin } }) => {
  const key = `${origin} ${locals.server.off.key}`
  let known = made.get(key)
  if (!known || Math.abs(Date.now() - known.at) > PAUSE_MILLISECONDS) {
    known = { text: sitemap(locals, origin), at: Date.now() }
    made.set(key, known)
    known.text.catch(() => made.delete(key))
  }
  const headers = { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'private, max-age=5' }
  return new Response(await known.text, { headers })
}
