import { redirect } from '@sveltejs/kit'
import { confirmed, inSession } from '#lib/server/account.ts'
import { action, codeIn, field, found, goTo, stay } from '#lib/server/answers.ts'
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
    development: event.locals.server.development,
    added: event.url.searchParams.has('added'),
    changed: event.url.searchParams.has('changed'),
  }
}

/** The address of the action that is now confirmed. */
function goOn({ searchParams }: URL): string {
  const what = searchParams.get('confirm') === 'password' ? 'password' : 'passkeys'
  const name = searchParams.get('name')
  const query = new URLSearchParams({ ready: what, ...(name !== null && { name }) })
  return `/settings/security?${query}#${what}`
}

const withSession =
  <Value>(send: (form: FormData, api: App.Locals['api']) => Promise<Value>) =>
  (form: FormData, { locals }: { locals: App.Locals }) =>
    inSession(send(form, locals.api))

export const actions = {
  sendVerification: action(
    withSession((_, api) => api.accounts.sendVerification()),
    () => ({ mailed: true }),
  ),
  verifyEmail: action(
    withSession((form, api) => api.accounts.verifyEmail({ code: codeIn(form) })),
    () => ({ verified: true }),
  ),
  confirm: action(
    withSession((form, api) => api.reauthentication.confirm({ password: field(form, 'password') })),
    (_, __, { url }) => redirect(303, goOn(url)),
  ),
  mailConfirmation: action(
    withSession((_, api) => api.reauthentication.sendCode()),
    () => ({ confirmationMailed: true }),
  ),
  confirmCode: action(
    withSession((form, api) => api.reauthentication.confirm({ code: codeIn(form) })),
    (_, __, { url }) => redirect(303, goOn(url)),
  ),
  setPassword: action(
    withSession((form, api) => {
      const sent = api.accounts.changePassword({ newPassword: field(form, 'newPassword') })
      return confirmed(sent, '/settings/security?confirm=password#password')
    }),
    goTo('/settings/security?changed'),
  ),
  changePassword: action(
    withSession((form, api) =>
      api.accounts.changePassword({ password: field(form, 'password'), newPassword: field(form, 'newPassword') }),
    ),
    goTo('/settings/security?changed'),
  ),
  renamePasskey: action(
    withSession((form, api) => api.passkeys.rename({ id: field(form, 'id'), name: field(form, 'name') })),
    stay,
    { of: (form) => `rename ${field(form, 'id')}` },
  ),
  removePasskey: action(
    withSession((form, api) => api.passkeys.remove({ id: field(form, 'id') })),
    stay,
    { of: (form) => `remove ${field(form, 'id')}` },
  ),
  endSession: action(
    withSession((form, api) => api.sessions.end({ id: field(form, 'id') })),
    (_, form) => ({ ended: field(form, 'name') }),
  ),
  endOtherSessions: action(
    withSession((_, api) => api.sessions.endOthers()),
    () => ({ ended: 'Every other browser' }),
  ),
} satisfies Actions
