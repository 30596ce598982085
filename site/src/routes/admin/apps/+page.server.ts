import { administering } from '#lib/server/administration.ts'
import { action, field, found } from '#lib/server/answers.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await administering(event)
  return found(event.locals.api.secretClients.list())
}

type Method = 'client_secret_basic' | 'client_secret_post'

export const actions = {
  create: action(
    (form, { locals }) =>
      locals.api.secretClients.create({ name: field(form, 'name'), method: field(form, 'method') as Method }),
    ({ id, secret }) => ({ id, secret }),
  ),
  rotate: action(
    (form, { locals }) =>
      locals.api.secretClients.rotate({ id: field(form, 'id'), overlapHours: Number(field(form, 'overlapHours')) }),
    ({ id, secret }) => ({ id, secret }),
    { of: (form) => `rotate ${field(form, 'id')}` },
  ),
  end: action(
    (form, { locals }) => locals.api.secretClients.end({ id: field(form, 'id') }),
    (_, form) => ({ ended: field(form, 'name') }),
    { of: (form) => `end ${field(form, 'id')}` },
  ),
} satisfies Actions
