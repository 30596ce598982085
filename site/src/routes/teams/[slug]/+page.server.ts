import { redirect } from '@sveltejs/kit'
import { shown } from '#lib/features/library/item-lists.ts'
import { followedSlug } from '#lib/features/teams/paths.ts'
import { action, field, found, goTo } from '#lib/server/answers.ts'
import { glimpse, listQuery } from '#lib/server/lists.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

const ITEMS_A_PAGE = 24

export const load: PageServerLoad = async (event) => {
  const { api } = event.locals
  const { slug } = event.params
  const team = await found(api.teams.get({ slug }))
  // A former slug leads to the team for good.
  if (team.slug !== slug) redirect(301, followedSlug(event.url, team.slug))
  const page = Math.max(1, listQuery(event.url).page)
  const scope = team.role ? 'maintained' : 'public'
  const [{ items: people }, list] = await Promise.all([
    found(api.teams.members({ slug })),
    found(api.library.list({ team: slug, kind: 'all', scope, page, per_page: ITEMS_A_PAGE })),
  ])
  return {
    team,
    people,
    me: (await event.locals.user())?.id,
    items: list.items.map((item) => ({ ...shown(item), description: glimpse(item.description) })),
    page,
    hasMore: page * ITEMS_A_PAGE < list.total,
  }
}

export const actions = {
  leave: action(
    (form, { locals, params }: RequestEvent) =>
      locals.api.teams.remove({ slug: params.slug, accountId: field(form, 'account') }),
    goTo('/settings/teams'),
  ),
} satisfies Actions
