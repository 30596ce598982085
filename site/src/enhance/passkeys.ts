// Passkeys in the browser: asks the device for a response to the server's challenge, and shows errors in the form.
import { retry } from './again.ts'
import { clearFaults, fault } from './faults.ts'
import { visit } from './forms.ts'
import { said, word } from './words.ts'

/** Handles the button of the sign-in page. */
export async function signIn(button: HTMLElement): Promise<void> {
  const form = button.closest<HTMLElement>('.scripted')!
  await working(form, async () => {
    const { username } = await signInWithPasskey()
    const to = button.dataset.to ?? '/'
    // A full navigation, because every page changes with the account.
    location.assign(username ? to : `/onboarding?to=${encodeURIComponent(to)}`)
  })
}

/** Handles the form of the settings. */
export async function add(form: HTMLFormElement): Promise<void> {
  await working(form, async () => {
    const name = String(new FormData(form).get('passkeyName')).trim()
    const { until } = await ask('/reauthenticate')
    const asking = new URLSearchParams({ confirm: 'passkeys', ...(name && { name }) })
    if (until !== null) await addPasskey(name)
    await visit(`${location.pathname}?${until === null ? asking : 'added'}#passkeys`)
  })
}

/** Confirms the member with a passkey, then continues with the pending action. */
export async function confirm(form: HTMLFormElement): Promise<void> {
  await working(form, async () => {
    const { startAuthentication } = await import('@simplewebauthn/browser')
    const optionsJSON = await ask('/reauthenticate/passkey/options', {})
    const response = await startAuthentication({ optionsJSON }).catch(fromDevice)
    await ask('/reauthenticate/passkey', { response })
    await visit(form.dataset.to!)
  })
}

/** Adds the passkey that waited for a confirmation. */
export function goOn(): void {
  const waiting = document.querySelector<HTMLFormElement>('form[data-add-passkey][data-ready]')
  if (waiting) void add(waiting)
}

async function working(form: HTMLElement, work: () => Promise<void>): Promise<void> {
  clearFaults(form)
  if (!('PublicKeyCredential' in globalThis)) return fault(form, { message: word('passkey.unsupported') })
  form.dataset.busy = ''
  try {
    await work()
  } catch (error) {
    fault(form, { message: (error as Error).message })
  }
  delete form.dataset.busy
}

/** Returns the username of the account, if it has one. */
async function signInWithPasskey(): Promise<{ username: string | null }> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = await ask('/sign-in/passkey/options', {})
  const response = await startAuthentication({ optionsJSON }).catch(fromDevice)
  return (await ask('/sign-in/passkey', { response })).user
}

/** Creates a passkey on this device or a reachable one, and adds it to the account. */
async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = await ask('/passkeys/options', {})
  const response = await startRegistration({ optionsJSON }).catch(fromDevice)
  await ask('/passkeys', { name: name || undefined, response })
}

/** A GET without a body, a POST with one. */
async function ask(path: string, body?: unknown) {
  const sent = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  const answer = await fetch(`/api/auth${path}`, body === undefined ? {} : sent).catch(() => {
    throw new Error(word('passkey.offline'))
  })
  if (answer.ok) return answer.json()
  if (answer.status === 429)
    throw new Error(word('passkey.tooMany', { retry: retry(Number(answer.headers.get('retry-after'))) }))
  const { code, message } = await answer.json()
  if (code === 'blocked') throw new Error(word('passkey.blocked'))
  const [, why] = /^response: (.*)$/s.exec(message) ?? []
  throw new Error(why === undefined ? await said(message) : word('passkey.wrong', { why: await said(why) }))
}

function fromDevice({ name }: Error): never {
  if (name === 'InvalidStateError') throw new Error(word('passkey.known'))
  if (name === 'NotAllowedError' || name === 'AbortError') {
    throw new Error(word('passkey.none'))
  }
  throw new Error(word('passkey.failed'))
}
