import { administering, idOf } from '#lib/server/administration.ts'
import { found } from '#lib/server/answers.ts'
import { pageNumber } from '#lib/server/comments.ts'
import type { PageServerLoad } from './$types'

const A_PAGE = 50

export const load: PageServerLoad = async (event) => {
  await administering(event)
  const { url, locals } = event
  const typed = (name: string) => url.searchParams.get(name)?.trim().slice(0, 200) || undefined
  const query = { action: typed('action')?.slice(0, 100), actor: typed('actor'), target: typed('target'), page: pageNumber(url) }
  const id = (name: string | undefined) => (name ? found(idOf(locals.api, name)) : undefined)
  const [actorId, targetId] = await Promise.all([id(query.actor), id(query.target)])
  const { items, hasMore } = await found(
    locals.api.admin.listAudit({ action: query.action, actorId, targetId, page: query.page, per_page: A_PAGE }),
  )
  return { query, hasMore, entries: items.map((entry) => ({ ...entry, detail: told(entry.detail) })) }
}

/** Details as words: `status: open`. */
function told(detail: Record<string, unknown> | null): string {
  const told = Object.entries(detail ?? {}).filter(([name, value]) => name !== 'authorId' && value !== null)
  return told.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`).join(', ')
}
