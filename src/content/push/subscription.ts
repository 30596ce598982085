// What is kept of a browser to which notifications are pushed: who has its address and keys can send to it, so they are sealed.
import type { Dependencies } from '../../request/handler.ts'
import { keyedHash } from '../../runtime/hash.ts'
import type { BrowserKeys } from '../../runtime/push-encryption.ts'
import { seal, unseal } from '../../runtime/seal.ts'
import { parseJson } from '../../runtime/untyped.ts'

/** As a browser gives it (Push API, `PushSubscription.toJSON`). */
export interface BrowserAddress {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

type Secrets = Pick<Dependencies, 'secretFor'>

/** How it is stored. */
export async function sealedAddress({ secretFor }: Secrets, address: BrowserAddress) {
  const sealed = seal(await secretFor('push subscriptions'), JSON.stringify(address))
  return { sealed, endpointHash: await endpointHashOf({ secretFor }, address.endpoint) }
}

/** By what a browser is found. */
export const endpointHashOf = async ({ secretFor }: Secrets, endpoint: string): Promise<string> =>
  keyedHash(await secretFor('push endpoints'), endpoint)

/** Opens it; undefined where it was sealed under another secret. */
export async function openAddress({ secretFor }: Secrets, sealed: string): Promise<BrowserAddress | undefined> {
  const key = await secretFor('push subscriptions')
  try {
    return parseJson<BrowserAddress>(unseal(key, sealed))
  } catch {
    return undefined
  }
}

export const keysOf = ({ keys: { p256dh, auth } }: Pick<BrowserAddress, 'keys'>): BrowserKeys => ({
  p256dh: Buffer.from(p256dh, 'base64url'),
  auth: Buffer.from(auth, 'base64url'),
})
