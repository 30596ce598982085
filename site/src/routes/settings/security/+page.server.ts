import { redirect } from '@sveltejs/kit'
import { inSession } from '#lib/server/account.ts'
import { attempt, field, found } from '#lib/server/answers.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const { passkeys, sessions } = event.locals.api
  const [devices, browsers] = await Promise.all([found(passkeys.list()), found(sessions.list())])
  return {
    passkeys: devices.items,
    sessions: browsers.items,
    development: event.platform!.development,
    added: event.url.searchParams.has('added'),
    changed: event.url.searchParams.has('changed'),
  }
}

export const actions = {
  sendProof: async ({ request, locals, url }) => {
    const form = await request.formData()
    const { failure } = await attempt(inSession(locals.api.accounts.sendProof()), { form, url, of: 'sendProof' })
    return failure ?? { mailed: true }
  },
  proveEmail: async ({ request, locals, url }) => {
    const form = await request.formData()
    const sent = locals.api.accounts.proveEmail({ code: field(form, 'code').replace(/\s/g, '') })
    const { failure } = await attempt(inSession(sent), { form, url, of: 'proveEmail' })
    return failure ?? { proved: true }
  },
  changePassword: async ({ request, locals, url }) => {
    const form = await request.formData()
    const given = { password: field(form, 'password'), newPassword: field(form, 'newPassword') }
    const { failure } = await attempt(inSession(locals.api.accounts.changePassword(given)), {
      form,
      url,
      of: 'changePassword',
    })
    // The session is another one now: whatever comes next asks with it.
    return failure ?? redirect(303, '/settings/security?changed')
  },
  renamePasskey: async ({ request, locals, url }) => {
    const form = await request.formData()
    const [id, name] = [field(form, 'id'), field(form, 'name')]
    const { failure } = await attempt(inSession(locals.api.passkeys.rename({ id, name })), {
      form,
      url,
      of: `rename ${id}`,
    })
    return failure ?? { done: 'rename' }
  },
  removePasskey: async ({ request, locals, url }) => {
    const form = await request.formData()
    const id = field(form, 'id')
    const { failure } = await attempt(inSession(locals.api.passkeys.remove({ id })), { form, url, of: `remove ${id}` })
    return failure ?? { done: 'remove' }
  },
  endSession: async ({ request, locals, url }) => {
    const form = await request.formData()
    const ending = locals.api.sessions.end({ id: field(form, 'id') })
    const { failure } = await attempt(inSession(ending), { form, url, of: 'browsers' })
    return failure ?? { ended: field(form, 'name') }
  },
  endOtherSessions: async ({ request, locals, url }) => {
    const form = await request.formData()
    const { failure } = await attempt(inSession(locals.api.sessions.endOthers()), { form, url, of: 'browsers' })
    return failure ?? { ended: 'Every other browser' }
  },
} satisfies Actions
