// The entry for browsers and other places with Web Crypto.
//   const guildhall = createClient({ url: 'https://guildhall.example', token })
//   await guildhall.bugs.create({ title: 'Crash', description: 'On start', severity: 'high' })
import { Sha256 } from '@guildhall/verifiable'
import { type Client, type ClientOptions, createClientOn } from './create-client.ts'
import { type Platform, wait } from './platform.ts'
import { beginSignInOn, type PendingSignIn, type SignIn } from './sign-in.ts'

export * from './exports.ts'

const web: Platform = {
  newHash: () => new Sha256(),
  randomBytes: (count) => globalThis.crypto.getRandomValues(new Uint8Array(count)),
  wait,
}

/** A client of the server at `url`. */
export const createClient = (options: ClientOptions): Client => createClientOn(web, options)

/** Where to send the person's browser, and what `finishSignIn` needs when it comes back. */
export const beginSignIn = (signIn: SignIn): { address: string; pending: PendingSignIn } => beginSignInOn(web, signIn)
