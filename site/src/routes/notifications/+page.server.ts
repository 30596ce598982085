// The inbox of notifications, newest first. Opening a notification marks it as read.
import { redirect } from '@sveltejs/kit'
import { ownPath } from '#lib/own-path.ts'
import { action, field, found, stay } from '#lib/server/answers.ts'
import { glimpse } from '#lib/server/lists.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad } from './$types'

const PER_PAGE = 30

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const { searchParams } = event.url
  const unread = searchParams.has('unread')
  const given = searchParams.get('before') ?? ''
  const before = /^\d{1,15}$/.test(given) ? given : undefined
  const input = { unread: unread ? 'true' : 'false', before, per_page: PER_PAGE } as const
  const { items, next, unread: count } = await found(event.locals.api.notifications.list(input))
  const shown = items.map(({ act, ...one }) => ({
    ...{ ...one, excerpt: glimpse(one.excerpt) },
    ...(act && { act: { ...act, excerpt: glimpse(act.excerpt) } }),
  }))
  return { items: shown, next, count, onlyUnread: unread, first: before === undefined }
}

export const actions = {
  open: action(
    (form, { locals }) => locals.api.notifications.read({ ids: [field(form, 'id')] }),
    (_, form) => redirect(303, ownPath(field(form, 'to'))),
  ),
  read: action((form, { locals }) => locals.api.notifications.read({ ids: [field(form, 'id')] }), stay),
  readAll: action((form, { locals }) => locals.api.notifications.read({ through: field(form, 'through') }), stay),
} satisfies Actions
