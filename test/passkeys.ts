// What tests do with passkeys, by the front door: a device in software (authenticator.ts) in the hands of a person.
import assert from 'node:assert/strict'
import type { Authenticator, Broken } from './authenticator.ts'
import type { Person, World } from './world.ts'

export async function register(
  person: Person,
  device: Authenticator,
  { name, ...broken }: Broken & { name?: string } = {},
) {
  const options = await person.passkeys.beginRegistration({})
  return person.passkeys.register({ ...(name && { name }), response: device.create(options, broken) })
}

/** Signs in anonymously with this device. */
export async function signIn(
  { anonymous }: World,
  device: Authenticator,
  broken: Broken = {},
  held = device.held.at(-1),
) {
  return anonymous.passkeys.signIn({ response: device.get(await anonymous.passkeys.beginSignIn({}), broken, held) })
}

export const passkeysOf = ({ db }: World, userId: string) =>
  db.selectFrom('passkey').select('id').where('userId', '=', userId).execute()

export const isSignedIn = async (person: Person) => (await person.accounts.getSession()) !== null

export async function prove({ code }: World, person: Person): Promise<void> {
  await person.accounts.sendVerification({})
  await person.accounts.verifyEmail({ code: await code(person.email) })
}

export const rejection = async (promise: Promise<unknown>): Promise<{ status: number; message: string }> => {
  try {
    await promise
  } catch (error) {
    return error as { status: number; message: string }
  }
  return assert.fail('it was let through')
}
