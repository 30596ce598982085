import { isHttpError, type RequestEvent, redirect } from '@sveltejs/kit'
import type { Answer } from '#lib/api.ts'
import { worded } from '#lib/server/account.ts'
import { action, field, found, reasonIn } from '#lib/server/answers.ts'
import { pageNumber } from '#lib/server/comments.ts'
import { followOf } from '#lib/server/follow.ts'
import { glimpse } from '#lib/server/lists.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  const { locals, params, url } = event
  const page = pageNumber(url)
  const user = await locals.user()
  try {
    const profile = await found(locals.api.profile.show({ username: params.username, page }))
    const own = user?.id === profile.id
    const mayBlock = !own && (user?.role === 'admin' || (user?.role === 'moderator' && profile.role !== 'admin'))
    const entries = profile.entries.items.map((item) => ({ ...item, preview: glimpse(item.preview) }))
    const { items: teams } = await found(locals.api.teams.list({ username: profile.username, per_page: 100 }))
    const follow = own ? undefined : await followOf(event, profile.id)
    const before = url.searchParams.get('before') ?? undefined
    const said =
      url.searchParams.get('show') === 'comments' && locals.api.comments.list({ authorId: profile.id, before })
    return {
      profile,
      teams,
      entries,
      page,
      own,
      mayBlock,
      follow,
      comments: said ? commentsIn(await found(said)) : undefined,
    }
  } catch (thrown) {
    if (!isHttpError(thrown, 404)) throw thrown
    const blockedId = user?.role === 'admin' ? await findBlocked(event) : undefined
    // A moderator has just blocked the account; only a POST is trusted to say which.
    const justNow = user?.role === 'moderator' && event.request.method === 'POST'
    if (!blockedId && !justNow) throw thrown
    return { blockedId, page }
  }
}

/** The beginning of each text. */
const commentsIn = ({ items, next }: Answer<'comments.list'>) => ({
  next,
  items: items.map(({ body, ...comment }) => ({ ...comment, preview: glimpse(body) })),
})

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
