// How sign-ins end: one by one, or all of an account at once. Codes, tokens and stored answers go with them.

import { record } from '../audit/audit.ts'
import type { Transaction } from '../database/schema.ts'
import { grantActions } from './audit-actions.ts'
import * as queries from './grant-queries.ts'

export interface Revocation {
  actorId: string | null
  reason: string
  now: string
  address?: string
}

/** Revokes one grant; false when it is already revoked. */
export async function revokeGrant(
  db: Transaction,
  id: string,
  { actorId, reason, now, address }: Revocation,
): Promise<boolean> {
  const grant = await queries.lockGrant(db, id)
  if (!grant) return false
  await queries.deleteGrant(db, id)
  const detail = { clientId: grant.clientId, reason }
  await record(db, now, {
    action: grantActions.end,
    actorId,
    targetId: id,
    detail,
    ...(address && { address }),
  })
  return true
}

/**
 * Revokes all OAuth grants of an account. Call it with the account's row locked: token issuance locks that row too, so no new token
 * can appear afterwards. Returns the number of grants.
 */
export const revokeGrantsOf = (db: Transaction, userId: string): Promise<number> => queries.deleteGrantsOf(db, userId)
