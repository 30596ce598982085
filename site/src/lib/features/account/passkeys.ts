// Passkeys in the browser: the device is asked what the server wants to know. What went wrong is told in a sentence.
import { BLOCKED, retry } from './words.ts'

/** Signs in with a passkey that the person picks; answers whether the account has a username. */
export async function signInWithPasskey(): Promise<{ username: string | null }> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = await ask('/sign-in/passkey/options')
  const response = await startAuthentication({ optionsJSON }).catch(fromDevice)
  return (await ask('/sign-in/passkey', { response })).user
}

/** Makes a passkey on this device, or on one that it can reach, and adds it to the account. */
export async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = await ask('/passkeys/options')
  const response = await startRegistration({ optionsJSON }).catch(fromDevice)
  await ask('/passkeys', { name: name.trim() || undefined, response })
}

async function ask(path: string, body: unknown = {}) {
  const answer = await fetch(`/api/auth${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Error('The network did not answer. Try again.')
  })
  if (answer.ok) return answer.json()
  if (answer.status === 429) throw new Error(`Too many tries. ${retry(Number(answer.headers.get('retry-after')))}`)
  const { code, message } = await answer.json()
  throw new Error(code === 'blocked' ? BLOCKED : message.replace(/^response: is/, 'The passkey is'))
}

function fromDevice({ name }: Error): never {
  if (name === 'InvalidStateError') throw new Error('This device has a passkey of your account already.')
  if (name === 'NotAllowedError' || name === 'AbortError') {
    throw new Error('No passkey came: it was cancelled, took too long, or there is none. Try again.')
  }
  throw new Error('This browser or device could not do it. Try another one, or sign in some other way.')
}
