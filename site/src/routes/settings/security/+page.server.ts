import { confirmed, inSession } from '#lib/server/account.ts'
import { action, codeIn, field, found, goTo, stay } from '#lib/server/answers.ts'
import { confirming } from '#lib/server/confirming.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const { passkeys, sessions, reauthentication, external, importClaims } = event.locals.api
  const [devices, browsers, credentials, externalAccounts, imported] = await Promise.all([
    found(passkeys.list()),
    found(sessions.list()),
    found(reauthentication.show()),
    found(external.show()),
    found(importClaims.list()),
  ])
  const { searchParams } = event.url
  const asked = searchParams.get('confirm')
  return {
    credentials,
    external: externalAccounts,
    imported,
    taken: event.url.searchParams.has('taken'),
    connected: event.url.searchParams.has('connected'),
    failed: event.url.searchParams.get('external'),
    /** The action that waits for a confirmation, and the one that is ready after it. */
    confirm: credentials.until === null ? asked : null,
    ready: searchParams.get('ready') ?? (credentials.until === null ? null : asked),
    passkeyName: searchParams.get('name') ?? '',
    passkeys: devices.items,
    sessions: browsers.items,
    development: event.locals.server.development,
    added: event.url.searchParams.has('added'),
    changed: event.url.searchParams.has('changed'),
    moved: event.url.searchParams.has('moved'),
  }
}

/** The address of the action that is now confirmed. */
function goOn({ searchParams }: URL): string {
  const what =
    ['password', 'external', 'imported', 'email'].find((name) => name === searchParams.get('confirm')) ?? 'passkeys'
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
  sendAddressCode: action(
    withSession((form, api) =>
      confirmed(
        api.address.sendCode({ email: field(form, 'email').trim() }),
        '/settings/security?confirm=email#confirm',
      ),
    ),
    (_, form) => ({ moving: field(form, 'email').trim(), again: form.has('again') }),
  ),
  changeAddress: action(
    withSession((form, api) =>
      confirmed(
        api.address.change({ email: field(form, 'email'), code: codeIn(form) }),
        '/settings/security?confirm=email#confirm',
      ),
    ),
    goTo('/settings/security?moved'),
  ),
  ...confirming(goOn),
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
  connect: action(
    withSession((_, api) =>
      confirmed(api.external.beginLink({ to: '/settings/security' }), '/settings/security?confirm=external#external'),
    ),
    ({ url }) => ({ connectUrl: url }),
  ),
  disconnect: action(
    withSession((form, api) =>
      confirmed(api.external.remove({ id: field(form, 'id') }), '/settings/security?confirm=external#external'),
    ),
    stay,
    { of: (form) => `disconnect ${field(form, 'id')}` },
  ),
  takeOver: action(
    withSession((form, api) =>
      confirmed(api.importClaims.takeOver({ id: field(form, 'id') }), '/settings/security?confirm=imported#imported'),
    ),
    goTo('/settings/security?taken#imported'),
    { of: (form) => `takeOver ${field(form, 'id')}` },
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
    (_, __, { locals }) => ({ ended: locals.t('settings.browser.everyOther') }),
  ),
} satisfies Actions
