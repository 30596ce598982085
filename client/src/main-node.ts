// The entry for Node, Deno and Bun: the same, with their own SHA-256, which is several times as fast.
import { createHash, randomBytes } from 'node:crypto'
import { type Client, type ClientOptions, createClientOn } from './create-client.ts'
import { type Platform, wait } from './platform.ts'
import { beginSignInOn, type PendingSignIn, type SignIn } from './sign-in.ts'

export * from './exports.ts'

const node: Platform = {
  newHash() {
    const hash = createHash('sha256')
    return {
      update: (bytes) => void hash.update(bytes),
      hex: () => hash.digest('hex'),
    }
  },
  randomBytes: (count) => new Uint8Array(randomBytes(count)),
  wait,
}

/** A client of the server at `url`. */
export const createClient = (options: ClientOptions): Client => createClientOn(node, options)

/** Where to send the person's browser, and what `finishSignIn` needs when it comes back. */
export const beginSignIn = (signIn: SignIn): { address: string; pending: PendingSignIn } => beginSignInOn(node, signIn)
