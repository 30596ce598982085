import { type SiteWords, wordOf } from '#lib/language/catalogue.ts'
import { administering, idOf } from '#lib/server/administration.ts'
import { found } from '#lib/server/answers.ts'
import { pageNumber } from '#lib/server/page-number.ts'
import type { PageServerLoad } from './$types'

const A_PAGE = 50

export const load: PageServerLoad = async (event) => {
  await administering(event)
  const { url, locals } = event
  const actions = Object.entries(locals.server.auditTitles).map(
    ([action, title]) => [action, actionWord(locals.t, action) ?? title] as const,
  )
  const words = new Map(actions)
  const typed = (name: string) => url.searchParams.get(name)?.trim().slice(0, 200) || undefined
  const query = {
    action: typed('action')?.slice(0, 100),
    actor: typed('actor'),
    target: typed('target'),
    page: pageNumber(url),
  }
  const id = (name: string | undefined) => (name ? found(idOf(locals.api, name)) : undefined)
  const [actorId, targetId] = await Promise.all([id(query.actor), id(query.target)])
  const { items, hasMore } = await found(
    locals.api.admin.listAudit({ action: query.action, actorId, targetId, page: query.page, per_page: A_PAGE }),
  )
  const entries = items.map((item) => ({ ...shown(item), words: words.get(item.action) ?? item.action }))
  return { query, hasMore, entries, actions }
}

/** The words of an action of the log: `bug.delete`. */
const actionWord = (t: SiteWords, action: string) => wordOf(t, `admin.act.${action.replaceAll(/[.-]/g, '_')}`)

type Detail = Record<string, unknown>

/** The title of what an event is about is shown beside it; the rest of the detail becomes text, with names for ids that are known. */
function shown<Entry extends { detail: Detail | null; names: Record<string, string> }>({
  detail,
  names,
  ...entry
}: Entry) {
  const { title: _, name: __, slug: ___, ...rest } = detail ?? {}
  const called = Object.entries(rest).map(([name, value]) => [name, names[String(value)] ?? value])
  return { ...entry, detail: told(Object.fromEntries(called)) }
}

/** A detail as text: `clientId: monoagent`, and changes: `status: open → resolved`. */
function told(detail: Detail): string {
  const { authorId: _, from, to, ...rest } = detail
  const others = Object.entries(to === undefined ? { from, ...rest } : rest).filter(
    ([, value]) => value !== null && value !== undefined,
  )
  return [...changes(from, to), ...others.map(([name, value]) => `${name}: ${word(value)}`)].join(', ')
}

function changes(from: unknown, to: unknown): string[] {
  if (to === undefined) return []
  if (!isDetail(from) || !isDetail(to)) return [`${word(from)} → ${word(to)}`]
  return Object.keys(to).map((name) => `${name}: ${word(from[name])} → ${word(to[name])}`)
}

const isDetail = (value: unknown): value is Detail => typeof value === 'object' && value !== null
const word = (value: unknown) =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.join(', ') : JSON.stringify(value)
