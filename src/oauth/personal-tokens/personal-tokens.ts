// Personal access tokens, as the rest of the authorization server sees them: at the API, and at the revocation endpoint, where any client may
// revoke the one that it holds (RFC 7009).
import type { Transaction } from '../../database/schema.ts'
import { personalTokenActions } from '../../identity/audit-actions.ts'
import type { EndpointRequest } from '../../request/endpoint.ts'
import type { Dependencies } from '../../request/handler.ts'
import { lazily } from '../../request/lazily.ts'
import { after } from '../../runtime/clock.ts'
import { outageOf } from '../../runtime/outage.ts'
import { personalTokens } from './contract.ts'
import * as queries from './queries.ts'
import { USE_SECONDS } from './rules.ts'

export { personalTokenHash } from './queries.ts'
export { PERSONAL_CLIENT } from './rules.ts'

export const personalTokenHandlers = lazily(personalTokens, async () => (await import('./handlers.ts')).handlers)

/** The account of a token that has not expired. */
export async function findPersonalCaller(dependencies: Dependencies, token: string, now: string) {
  const { db } = dependencies
  const found = await queries.findCallerOf(db, await queries.personalTokenHash(dependencies, token))
  if (!found || found.expiresAt <= now) return undefined
  const before = after(now, -USE_SECONDS)
  if (found.lastUsedAt === null || found.lastUsedAt < before) {
    // A read does not wait for a disk that refuses writes.
    await queries.updateLastUse(db, found.tokenId, { now, before }).catch((error: unknown) => {
      if (!outageOf(error)) throw error
    })
  }
  return found
}

/** Revokes the token of a hash, if there is one. */
export async function revokePersonalToken(
  db: Transaction,
  { now, address }: Pick<EndpointRequest, 'now' | 'address'>,
  hash: string,
): Promise<void> {
  const token = await queries.findPersonalToken(db, { hash })
  if (!token) return
  const by = { actorId: token.userId, reason: 'revoked with the token itself', now, address }
  const { revokeGrant } = await import('../../identity/grants.ts')
  await revokeGrant(db, token.id, { ...by, action: personalTokenActions.revoke })
}
