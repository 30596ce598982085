// The sitemap, rendered at most every five minutes.
import { sitemap } from '#lib/server/sitemap.ts'
import type { RequestHandler } from './$types'

const FRESH_MILLISECONDS = 5 * 60_000

const made = new Map<string, { text: Promise<string>; at: number }>()

export const GET: RequestHandler = async ({ locals, url: { origin } }) => {
  let known = made.get(origin)
  if (!known || Date.now() - known.at > FRESH_MILLISECONDS) {
    known = { text: sitemap(locals.api, origin), at: Date.now() }
    made.set(origin, known)
    known.text.catch(() => made.delete(origin))
  }
  const headers = { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'private, max-age=300' }
  return new Response(await known.text, { headers })
}
