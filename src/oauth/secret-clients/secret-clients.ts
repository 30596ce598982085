// Apps with a secret, as the rest of the authorization server sees them.
import { addressKey, countTry } from '../../budgets/budgets.ts'
import type { EndpointRequest } from '../../request/endpoint.ts'
import type { Dependencies } from '../../request/handler.ts'
import { lazily } from '../../request/lazily.ts'
import { after } from '../../runtime/clock.ts'
import { newToken } from '../../runtime/ids.ts'
import { outageOf } from '../../runtime/outage.ts'
import { secretClients } from './contract.ts'
import { findSecretClient, updateSecretClientUse } from './queries.ts'
import { secretHash } from './registering.ts'
import { isGoodHash } from './rules.ts'

// Apps that authenticate with a secret (RFC 6749, 2.3.1). Our check comes first, as with assertions: the library compares secrets themselves, and ours
// are stored as hashes. So the library gets another one, which this process makes for it alone.

const WRONG_SECRETS = { tries: 60, windowSeconds: 900 }
const USE_SECONDS = 3_600

/** A secret that a client shows, and the way in which it does. */
export interface PresentedSecret {
  clientId: string
  secret: string
  method: 'client_secret_basic' | 'client_secret_post'
}

/** What the library compares, once the secret was found good here. It never leaves the process. */
export const SECRET_FOR_LIBRARY = newToken()

/** Throws `rate_limited` after too many wrong secrets from a network, at any endpoint. */
export async function countWrongSecret(
  { config, db }: Dependencies,
  { address, now }: Pick<EndpointRequest, 'address' | 'now'>,
): Promise<void> {
  if (!config.rateLimits) return
  await countTry(db, { key: `wrong secret ${addressKey(address)}`, limit: WRONG_SECRETS, now })
}

/** Whether the secret is of the app, good now, and shown in the way that is registered. */
export async function isAuthenticated(
  dependencies: Dependencies,
  { clientId, secret, method }: PresentedSecret,
  now: string,
): Promise<boolean> {
  const { db } = dependencies
  // The hash is made also where there is no such app, so that the time tells nothing.
  const [hash, found] = [await secretHash(dependencies, secret, clientId), await findSecretClient(db, clientId)]
  if (!found || !isGoodHash(found, hash, now) || found.method !== method) return false
  const before = after(now, -USE_SECONDS)
  if ((found.lastUsedAt ?? '') >= before) return true
  await updateSecretClientUse(db, { id: clientId, now, before }).catch((error: unknown) => {
    if (!outageOf(error)) throw error
  })
  return true
}

export { findSecretClient, holdSecretClient, listSecretClients, type SecretClient } from './queries.ts'
export { endSecretClient, registerSecretClient, rotateSecret, shownClient } from './registering.ts'
export { MAX_SECRET_CLIENTS } from './rules.ts'

export const secretClientHandlers = lazily(secretClients, async () => (await import('./handlers.ts')).handlers)
