// Who is invited to a board: admins see them and take them out.
import { administering } from '#lib/server/administration.ts'
import { action, field, found, reasonIn } from '#lib/server/answers.ts'
import { pageNumber } from '#lib/server/page-number.ts'
import type { Actions, PageServerLoad } from './$types'

const A_PAGE = 50

export const load: PageServerLoad = async (event) => {
  await administering(event)
  const { api } = event.locals
  const board = event.params.slug
  const page = pageNumber(event.url)
  const [{ slug, name, url }, { items, hasMore }] = await Promise.all([
    found(api.boards.get({ board })),
    found(api.boards.members({ board, page, per_page: A_PAGE })),
  ])
  return { board: { slug, name, url }, members: { items, page, hasMore } }
}

export const actions: Actions = {
  remove: action(
    (form, { locals, params }) =>
      locals.api.boards.removeMember({ board: params.slug, userId: field(form, 'userId'), reason: reasonIn(form) }),
    (_, __, { locals }) => ({ done: locals.t('admin.board.uninvited') }),
    { of: (form) => `remove ${field(form, 'userId')}` },
  ),
}
