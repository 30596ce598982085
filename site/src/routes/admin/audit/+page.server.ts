import { type SiteWords, wordOf } from '#lib/language/catalogue.ts'
import { administering, idOf } from '#lib/server/administration.ts'
import { found } from '#lib/server/answers.ts'
import { detailWords } from '#lib/server/audit-detail.ts'
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
  const entries = items.map(({ detail, names, ...entry }) => ({
    ...{ ...entry, words: words.get(entry.action) ?? entry.action },
    detail: detailWords(locals.t, detail, names).join(' · '),
  }))
  return { query, ids: { actorId, targetId }, hasMore, entries, actions }
}

/** The words of an action of the log: `bug.delete`. */
const actionWord = (t: SiteWords, action: string) => wordOf(t, `admin.act.${action.replaceAll(/[.-]/g, '_')}`)
