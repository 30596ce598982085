import { administering } from '#lib/server/administration.ts'
import { action, field, found, refusedAs } from '#lib/server/answers.ts'
import { boardsOf, isFirst } from '#lib/server/boards.ts'
import { pageNumber } from '#lib/server/page-number.ts'
import type { Actions, PageServerLoad } from './$types'

const A_PAGE = 20

export const load: PageServerLoad = async (event) => {
  await administering(event)
  const { invitations, invitationLinks } = event.locals.api
  const page = pageNumber(event.url)
  const [open, links, boards] = await Promise.all([
    found(invitations.list()),
    found(invitationLinks.list({ page, per_page: A_PAGE })),
    boardsOf(event.locals),
  ])
  const now = new Date().toISOString()
  const isOver = ({ revokedAt, expiresAt, uses, maxUses }: (typeof links.items)[number]) =>
    revokedAt !== null || expiresAt <= now || uses >= maxUses
  const shown = links.items.map((link) => ({ ...link, isOver: isOver(link) }))
  const others = boards.filter((board) => !isFirst(board)).map(({ slug, name }) => ({ slug, name }))
  return { invitations: open, boards: others, links: { items: shown, page, hasMore: links.hasMore } }
}

export const actions = {
  invite: action(
    (form, { locals }) =>
      refusedAs(locals.api.invitations.create({ email: field(form, 'email') }), (refusal) => {
        if (refusal.status === 429) refusal.message = `email: ${locals.t('admin.invite.often')}`
      }),
    ({ email }) => ({ invited: email }),
  ),
  remove: action(
    (form, { locals }) => locals.api.invitations.remove({ id: field(form, 'id') }),
    (_, form) => ({ removed: field(form, 'email') }),
    { of: (form) => `remove ${field(form, 'id')}` },
  ),
  link: action(
    (form, { locals }) =>
      locals.api.invitationLinks.create({
        role: field(form, 'role') === 'moderator' ? 'moderator' : 'member',
        board: field(form, 'board') || undefined,
        expiresInDays: Number(field(form, 'expiresInDays')),
        maxUses: Number(field(form, 'maxUses')),
      }),
    ({ link }) => ({ link }),
    { of: () => 'link' },
  ),
  revoke: action(
    (form, { locals }) => locals.api.invitationLinks.revoke({ id: field(form, 'id') }),
    () => ({ revoked: true }),
    { of: (form) => `revoke ${field(form, 'id')}` },
  ),
} satisfies Actions
