// Pictures of an item at addresses that do not change: for readers elsewhere, so of what everybody sees alone.
import { createHash } from 'node:crypto'
import { error } from '@sveltejs/kit'
import { type ItemList, itemLists } from '#lib/features/library/item-lists.ts'
import { found, readerWords } from './answers.ts'

/** An item that everybody sees; otherwise there is no such page. */
export async function publicItem(api: App.Locals['api'], { kind, slug }: { kind: ItemList; slug: string }) {
  const item = await found(api.library.find({ kind: itemLists[kind].kind, slug }))
  if (item.visibility === 'private' || item.state) error(404, readerWords()('errors.page.404'))
  return item
}

/** A picture that other sites show: cached for some minutes, then compared by its tag. A picture runs and loads nothing; faces are within it. */
export function pictureAnswer(
  request: Request,
  { type, body, isPublic = true }: { type: string; body: string | Uint8Array; isPublic?: boolean },
): Response {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  const headers = {
    'Cache-Control': isPublic ? 'public, max-age=300, stale-while-revalidate=86400' : 'no-store',
    ETag: etag,
    'Content-Security-Policy': "default-src 'none'; sandbox; img-src data:",
    'Cross-Origin-Resource-Policy': isPublic ? 'cross-origin' : 'same-origin',
  }
  if (request.headers.get('if-none-match')?.includes(etag)) return new Response(null, { status: 304, headers })
  return new Response(Uint8Array.from(Buffer.from(body)), { headers: { ...headers, 'Content-Type': type } })
}
