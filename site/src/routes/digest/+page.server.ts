// What is new by mail, without an account: the form, and the page of the link that confirms an address. The link alone confirms nothing, because
// programs open links in mails; its button does.
import { error } from '@sveltejs/kit'
import { action, found, stay } from '#lib/server/answers.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, url }) => {
  if (!locals.server.guestDigest) error(404)
  const slug = url.searchParams.get('board')
  const { items } = await found(locals.api.boards.list({}))
  const board = items.find((one) => one.slug === slug && !one.closed)
  if (slug && !board) error(404)
  return { token: url.searchParams.get('token') ?? undefined, board: board && { slug: board.slug, name: board.name } }
}

export const actions = {
  ask: action(
    (form, { locals, url }) => {
      const board = url.searchParams.get('board')
      return locals.api.guestDigest.subscribe({ email: String(form.get('email') ?? ''), ...(board && { board }) })
    },
    () => ({ asked: true }),
    { of: () => 'ask' },
  ),
  confirm: action(
    (_, { locals, url }) => locals.api.guestDigest.confirm({ token: url.searchParams.get('token') ?? '' }),
    stay,
    { of: () => 'confirm' },
  ),
} satisfies Actions
