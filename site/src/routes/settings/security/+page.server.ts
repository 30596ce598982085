import { redirect } from '@sveltejs/kit'
import { confirmed, inSession } from '#lib/server/account.ts'
import { attempt, field, found } from '#lib/server/answers.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const { passkeys, sessions, reauthentication } = event.locals.api
  const [devices, browsers, credentials] = await Promise.all([
    found(passkeys.list()),
    found(sessions.list()),
    found(reauthentication.show()),
  ])
  const { searchParams } = event.url
  const asked = searchParams.get('confirm')
  return {
    credentials,
    /** The action that waits for a confirmation, and the one that is ready after it. */
    confirm: credentials.until === null ? asked : null,
    ready: searchParams.get('ready') ?? (credentials.until === null ? null : asked),
    passkeyName: searchParams.get('name') ?? '',
    passkeys: devices.items,
    sessions: browsers.items,
    development: event.platform!.development,
    added: event.url.searchParams.has('added'),
    changed: event.url.searchParams.has('changed'),
  }
}

/** The address of the action that is now confirmed. */
function goOn({ searchParams }: URL): string {
  const what = searchParams.get('confirm') === 'password' ? 'password' : 'passkeys'
  const query = new URLSearchParams({
    ready: what,
    ...(searchParams.has('name') && { name: searchParams.get('name')! }),
  })
  return `/settings/security?${query}#${what}`
}

export const actions = {
  sendVerification: async ({ request, locals, url }) => {
    const form = await request.formData()
    const sent = locals.api.accounts.sendVerification()
    const { failure } = await attempt(inSession(sent), { form, url, of: 'sendVerification' })
    return failure ?? { mailed: true }
  },
  verifyEmail: async ({ request, locals, url }) => {
    const form = await request.formData()
    const sent = locals.api.accounts.verifyEmail({ code: field(form, 'code').replace(/\s/g, '') })
    const { failure } = await attempt(inSession(sent), { form, url, of: 'verifyEmail' })
    return failure ?? { verified: true }
  },
  confirm: async ({ request, locals, url }) => {
    const form = await request.formData()
    const sent = locals.api.reauthentication.confirm({ password: field(form, 'password') })
    const { failure } = await attempt(inSession(sent), { form, url, of: 'confirm' })
    return failure ?? redirect(303, goOn(url))
  },
  mailConfirmation: async ({ request, locals, url }) => {
    const form = await request.formData()
    const sent = locals.api.reauthentication.sendCode()
    const { failure } = await attempt(inSession(sent), { form, url, of: 'mailConfirmation' })
    return failure ?? { confirmationMailed: true }
  },
  confirmCode: async ({ request, locals, url }) => {
    const form = await request.formData()
    const sent = locals.api.reauthentication.confirm({ code: field(form, 'code').replace(/\s/g, '') })
    const { failure } = await attempt(inSession(sent), { form, url, of: 'confirmCode' })
    return failure ?? redirect(303, goOn(url))
  },
  setPassword: async ({ request, locals, url }) => {
    const form = await request.formData()
    const sent = locals.api.accounts.changePassword({ newPassword: field(form, 'newPassword') })
    const asked = confirmed(sent, '/settings/security?confirm=password#password')
    const { failure } = await attempt(inSession(asked), { form, url, of: 'setPassword' })
    return failure ?? redirect(303, '/settings/security?changed')
  },
  changePassword: async ({ request, locals, url }) => {
    const form = await request.formData()
    const given = { password: field(form, 'password'), newPassword: field(form, 'newPassword') }
    const { failure } = await attempt(inSession(locals.api.accounts.changePassword(given)), {
      form,
      url,
      of: 'changePassword',
    })
    // The session is new, so the next page needs a new request.
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
