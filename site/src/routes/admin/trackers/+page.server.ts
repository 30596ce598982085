import { redirect } from '@sveltejs/kit'
import { services } from '#lib/features/trackers.ts'
import { administering } from '#lib/server/administration.ts'
import { action, field, found } from '#lib/server/answers.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await administering(event)
  const { items } = await found(event.locals.api.trackers.list())
  return { items }
}

const there = () => redirect(303, '/admin/trackers')

export const actions = {
  create: action(
    (form, { locals }) => {
      const board = field(form, 'board').trim()
      return locals.api.trackers.create({
        service: services.find((service) => service === field(form, 'service')) ?? 'github',
        ...{ name: field(form, 'name').trim(), token: field(form, 'token').trim() },
        ...(board !== '' && { board }),
        from: field(form, 'from') === 'beginning' ? 'beginning' : 'now',
        publish: form.has('publish'),
      })
    },
    ({ secret, webhookUrl }) => ({ secret, webhookUrl }),
  ),
  update: action(
    (form, { locals }) =>
      locals.api.trackers.update({ id: field(form, 'id'), state: field(form, 'state') === 'on' ? 'on' : 'paused' }),
    there,
    { of: (form) => `update ${field(form, 'id')}` },
  ),
  secret: action(
    (form, { locals }) => locals.api.trackers.update({ id: field(form, 'id'), secret: field(form, 'secret').trim() }),
    there,
    { of: (form) => `secret ${field(form, 'id')}` },
  ),
  remove: action(
    (form, { locals }) => locals.api.trackers.remove({ id: field(form, 'id') }),
    (_, form) => ({ removed: field(form, 'name') }),
    { of: (form) => `remove ${field(form, 'id')}` },
  ),
  setPerson: action(
    (form, { locals }) =>
      locals.api.trackers.setPerson({
        ...{ id: field(form, 'id'), login: field(form, 'login').trim() },
        username: field(form, 'username').trim() || null,
      }),
    there,
    { of: (form) => `person ${field(form, 'id')}` },
  ),
} satisfies Actions
