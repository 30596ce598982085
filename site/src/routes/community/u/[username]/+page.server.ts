import { isHttpError, type RequestEvent, redirect } from '@sveltejs/kit'
import { administers, moderates } from '#lib/roles.ts'
import { worded } from '#lib/server/account.ts'
import { action, field, found, reasonIn } from '#lib/server/answers.ts'
import { followOf } from '#lib/server/follow.ts'
import { pageNumber } from '#lib/server/page-number.ts'
import { unlessOff } from '#lib/server/parts.ts'
import { tabOf, tabsOn } from '#lib/server/profile.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  const { locals, params, url } = event
  const page = pageNumber(url)
  const user = await locals.user()
  try {
    const profile = await found(
      locals.api.profile.show({ username: params.username, page: url.searchParams.get('show') === 'posts' ? page : 0 }),
    )
    const own = user?.id === profile.id
    const mayBlock = !own && (profile.role === 'admin' ? administers(user) : moderates(user))
    const [follow, tab, badges, teams] = await Promise.all([
      own ? undefined : followOf(event, profile.id),
      tabOf(locals, profile, url),
      found(locals.api.members.badges({ username: profile.username })),
      unlessOff(locals, 'teams.list', () =>
        found(locals.api.teams.list({ username: profile.username, per_page: 100 })),
      ),
    ])
    return {
      profile,
      tab,
      page,
      own,
      mayBlock,
      follow,
      badges: badges.items,
      teams: teams?.items ?? [],
      tabs: tabsOn(locals.server.off),
    }
  } catch (thrown) {
    if (!isHttpError(thrown, 404)) throw thrown
    const blockedId = administers(user) ? await findBlocked(event) : undefined
    // A moderator has just blocked the account; only a POST is trusted to say which.
    const justNow = moderates(user) && event.request.method === 'POST'
    if (!blockedId && !justNow) throw thrown
    return { blockedId, page }
  }
}

/** A blocked account has no public page; an admin finds it by username. */
async function findBlocked({ locals, params }: RequestEvent): Promise<string | undefined> {
  const name = params.username ?? ''
  const { users } = await found(locals.api.admin.listUsers({ q: name, blocked: 'true' }))
  return users.find(({ username }) => username?.toLowerCase() === name.toLowerCase())?.id
}

const setBlocked = (blocked: boolean) =>
  action(
    (form, { locals }: RequestEvent) =>
      worded(locals.api.admin.block({ id: field(form, 'id'), blocked, reason: reasonIn(form) })),
    (_, form, { url }) => (blocked ? { blockedId: field(form, 'id') } : redirect(303, url.pathname)),
  )

export const actions = { block: setBlocked(true), unblock: setBlocked(false) } satisfies Actions
