import { moderating } from '#lib/server/administration.ts'
import { action, choiceIn, field, found, reasonIn, refusedAs } from '#lib/server/answers.ts'
import { listQuery, oneOf } from '#lib/server/lists.ts'
import { roles } from '#lib/ui/states.ts'
import type { Actions, PageServerLoad } from './$types'

const A_PAGE = 50

export const load: PageServerLoad = async (event) => {
  const { role } = await moderating(event)
  const { q, page } = listQuery(event.url)
  const { searchParams } = event.url
  const query = {
    q,
    page,
    role: oneOf(searchParams.get('role'), roles),
    blocked: oneOf(searchParams.get('blocked'), ['true', 'false']),
  }
  // Moderators may block accounts, but not list them.
  if (role !== 'admin') return { query }
  return { query, list: await found(event.locals.api.admin.listUsers({ ...query, per_page: A_PAGE })) }
}

/** Blocks or unblocks an account, and says so. */
const block = async (
  { api, t }: Pick<App.Locals, 'api' | 't'>,
  form: FormData,
  { id, name }: { id: string; name: string },
) => {
  const blocked = field(form, 'blocked') !== 'false'
  await api.admin.block({ id, blocked, reason: reasonIn(form) })
  const done = blocked ? t('admin.user.blocked', { name }) : t('admin.user.unblocked', { name })
  return { done, blocked: blocked ? { id, name } : undefined }
}

const shown = <Result>(result: Result) => result

export const actions = {
  role: action(
    (form, { locals }) =>
      locals.api.admin.setRole({
        id: field(form, 'userId'),
        role: choiceIn(form, 'role', roles),
        reason: reasonIn(form),
      }),
    ({ role }, form, { locals }) => ({ done: locals.t('admin.user.role', { name: field(form, 'name'), role }) }),
    { of: (form) => `role-${field(form, 'userId')}` },
  ),
  block: action(
    (form, { locals }) => block(locals, form, { id: field(form, 'userId'), name: field(form, 'name') }),
    shown,
    { of: (form) => `block-${field(form, 'userId')}` },
  ),
  delete: action(
    (form, { locals: { api } }) =>
      api.admin.deleteUser({
        id: field(form, 'userId'),
        content: choiceIn(form, 'content', ['anonymise', 'delete']),
        reason: field(form, 'reason'),
      }),
    (_, form, { locals }) => ({ done: locals.t('admin.user.deleting', { name: field(form, 'name') }) }),
    { of: (form) => `delete-${field(form, 'userId')}` },
  ),
  keep: action(
    (form, { locals: { api } }) => api.admin.keepUser({ id: field(form, 'userId') }),
    (_, form, { locals }) => ({ done: locals.t('admin.user.stays', { name: field(form, 'name') }) }),
    { of: (form) => `delete-${field(form, 'userId')}` },
  ),
  blockByName: action(async (form, { locals }) => {
    const { api, t } = locals
    const username = field(form, 'username').trim().replace(/^@/, '')
    const user = await refusedAs(api.profile.show({ username }), (refusal) => {
      if (refusal.status === 404) refusal.message = `username: ${t('admin.user.noSuch')}`
    })
    const named = block(locals, form, { id: user.id, name: username })
    return refusedAs(named, (refusal) => {
      if (refusal.status === 403) refusal.message = `username: ${t('admin.user.noAdmin')}`
    })
  }, shown),
} satisfies Actions
