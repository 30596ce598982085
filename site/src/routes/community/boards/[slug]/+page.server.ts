// A board, with the newest things of each kind in it.
import { error } from '@sveltejs/kit'
import { found } from '#lib/server/answers.ts'
import { callsOf } from '#lib/server/subjects.ts'
import { pagedSubjects } from '#lib/subjects.ts'
import type { PageServerLoad } from './$types'

const SHOWN = 5

export const load: PageServerLoad = async ({ locals, params: { slug } }) => {
  const { api, server, t } = locals
  if (slug.length > 60) error(404, t('errors.page.404'))
  const board = await found(api.boards.get({ board: slug }))
  const subjects = pagedSubjects.filter(({ boards, path }) => boards && !server.off.hasPage(path))
  const lists = subjects.map(async (subject) => {
    const { items, total } = await found(callsOf(api, subject).list({ board: slug, per_page: SHOWN }))
    const things = items.map(({ id, title, url }) => ({ id, title, url }))
    return { type: subject.type, href: `${subject.path}?board=${board.slug}`, total, things }
  })
  const { items: filters } = await found(api.savedFilters.listShared({ board: board.slug }))
  return { board, filters: filters.map(({ id, name, path }) => ({ id, name, path })), lists: await Promise.all(lists) }
}
