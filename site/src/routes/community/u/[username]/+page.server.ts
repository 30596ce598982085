import { isHttpError, type RequestEvent, redirect } from '@sveltejs/kit'
import { worded } from '#lib/server/account.ts'
import { attempt, field, found } from '#lib/server/answers.ts'
import { pageNumber } from '#lib/server/comments.ts'
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
    return { profile, entries, page, own, mayBlock }
  } catch (thrown) {
    const blockedId = isHttpError(thrown, 404) ? await findBlocked(event) : undefined
    if (!blockedId) throw thrown
    return { blockedId, page }
  }
}

/**
 * A blocked account has no page; whoever could let it in again is shown that it is blocked. An admin finds it by its name,
 * a moderator has its id from having blocked it just now.
 */
async function findBlocked({ locals, params, url }: RequestEvent): Promise<string | undefined> {
  const user = await locals.user()
  if (user?.role === 'moderator') return url.searchParams.get('blocked') ?? undefined
  if (user?.role !== 'admin') return undefined
  const name = params.username ?? ''
  const { users } = await found(locals.api.admin.listUsers({ q: name, blocked: 'true' }))
  return users.find(({ username }) => username?.toLowerCase() === name.toLowerCase())?.id
}

const setBlocked =
  (blocked: boolean) =>
  async ({ request, locals, url }: RequestEvent) => {
    const form = await request.formData()
    const id = field(form, 'id')
    const sent = locals.api.admin.block({ id, blocked, reason: field(form, 'reason') || undefined })
    const { failure } = await attempt(worded(sent), { form, url, of: 'block' })
    return failure ?? redirect(303, url.pathname + (blocked ? `?blocked=${encodeURIComponent(id)}` : ''))
  }

export const actions = { block: setBlocked(true), unblock: setBlocked(false) } satisfies Actions
