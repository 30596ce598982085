import type { RequestEvent } from '@sveltejs/kit'
import { moderating } from '#lib/server/administration.ts'
import { action, attempt, choiceIn, field, found, reasonIn, refuse } from '#lib/server/answers.ts'
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

async function block(
  { locals, url }: RequestEvent,
  form: FormData,
  { id, name, of }: { id: string; name: string; of: string },
) {
  const blocked = field(form, 'blocked') !== 'false'
  const { failure } = await attempt(locals.api.admin.block({ id, blocked, reason: reasonIn(form) }), { form, url, of })
  if (failure) return failure
  const done = blocked ? `${name} is blocked and signed out everywhere.` : `${name} is unblocked.`
  return { done, blocked: blocked ? { id, name } : undefined }
}

export const actions = {
  role: action(
    (form) => `role-${field(form, 'userId')}`,
    (form, { locals }) =>
      locals.api.admin.setRole({
        id: field(form, 'userId'),
        role: choiceIn(form, 'role', roles),
        reason: reasonIn(form),
      }),
    ({ role }, form) => ({ done: `${field(form, 'name')} is now ${role === 'admin' ? 'an admin' : `a ${role}`}.` }),
  ),
  block: async (event) => {
    const form = await event.request.formData()
    const id = field(form, 'userId')
    return block(event, form, { id, name: field(form, 'name'), of: `block-${id}` })
  },
  blockByName: async (event) => {
    const form = await event.request.formData()
    const username = field(form, 'username').trim().replace(/^@/, '')
    const of = 'blockByName'
    if (username === '') return refuse({ status: 400, message: 'username: is required' }, form, of)
    const { value: user, failure } = await attempt(event.locals.api.profile.show({ username }), {
      form,
      url: event.url,
      of,
    })
    if (failure) {
      const message = 'username: no account with this username can be blocked'
      return failure.status === 404 ? refuse({ status: 404, message }, form, of) : failure
    }
    const message = 'username: a moderator cannot block an admin'
    if (user.role === 'admin') return refuse({ status: 403, message }, form, of)
    return block(event, form, { id: user.id, name: username, of })
  },
} satisfies Actions
