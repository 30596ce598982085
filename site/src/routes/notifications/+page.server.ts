// The inbox of notifications by the things that they are about, newest first; `of` shows all about one thing. Opening one marks it as read.
import { redirect } from '@sveltejs/kit'
import type { Line } from '#lib/features/account/inbox-words.ts'
import { ownPath } from '#lib/own-path.ts'
import { acts, declared } from '#lib/said.ts'
import { action, field, found, stay } from '#lib/server/answers.ts'
import { glimpse } from '#lib/server/lists.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad } from './$types'

const PER_PAGE = 30

/** A line with the beginning of its texts. */
const lineOf = ({ act, ...one }: Line): Line => ({
  ...{ ...one, excerpt: glimpse(one.excerpt) },
  ...(act && { act: { ...act, excerpt: glimpse(act.excerpt) } }),
})

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const { searchParams } = event.url
  const { notifications } = event.locals.api
  const onlyUnread = searchParams.has('unread')
  const of = searchParams.get('of') ?? undefined
  const cursor = searchParams.get('cursor') ?? ''
  const input = { unread: onlyUnread ? 'true' : 'false', cursor, per_page: PER_PAGE } as const
  const about = { onlyUnread, first: cursor === '', of }
  if (of !== undefined) {
    const { items, nextCursor, unread: count } = await found(notifications.list({ ...input, target: of }))
    return { ...about, lines: items.map(lineOf), groups: [], next: nextCursor ?? undefined, count }
  }
  const { items, nextCursor, unread: count } = await found(notifications.groups(input))
  const groups = items.map((group) => ({ ...group, lines: group.lines.map(lineOf) }))
  return { ...about, groups, lines: [], next: nextCursor ?? undefined, count }
}

export const actions = declared(acts['/notifications'], {
  open: action(
    (form, { locals }) => locals.api.notifications.read({ ids: [field(form, 'id')] }),
    (_, form) => redirect(303, ownPath(field(form, 'to'))),
  ),
  read: action((form, { locals }) => locals.api.notifications.read({ ids: [field(form, 'id')] }), stay),
  unread: action((form, { locals }) => locals.api.notifications.unread({ ids: [field(form, 'id')] }), stay),
  readThing: action(
    (form, { locals }) =>
      locals.api.notifications.read({ target: field(form, 'target'), through: field(form, 'through') }),
    stay,
  ),
  readAll: action((form, { locals }) => locals.api.notifications.read({ through: field(form, 'through') }), stay),
}) satisfies Actions
