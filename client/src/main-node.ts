// The entry for Node, Deno and Bun: the same, with their own SHA-256, which is several times as fast.
import { type Client, type ClientOptions, createClientOn } from './create-client.ts'
import { nodePlatform } from './platform-node.ts'
import { beginSignInOn, type PendingSignIn, type SignIn } from './sign-in.ts'

export * from './exports.ts'

/** A client of the server at `url`. */
export const createClient = (options: ClientOptions): Client => createClientOn(nodePlatform, options)

/** Where to send the person's browser, and what `finishSignIn` needs when it comes back. */
export const beginSignIn = (signIn: SignIn): { address: string; pending: PendingSignIn } =>
  beginSignInOn(nodePlatform, signIn)
