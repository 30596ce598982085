// How sign-ins end: one by one, or all of an account at once. Codes, tokens and stored answers go with them.

import { record } from '../audit/audit.ts'
import type { Transaction } from '../database/schema.ts'
import * as queries from './grant-queries.ts'

export interface Revocation {
  actorId: string | null
  reason: string
  now: string
  address?: string
}

/** Ends one sign-in; false when it is over already. */
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
    action: 'sign-in.end',
    actorId,
    targetType: 'sign-in',
    targetId: id,
    detail,
    ...(address && { address }),
  })
  return true
}

/**
 * Ends everything that is signed in to an account by OAuth. To be called with the account's row locked: a token that is
 * being issued holds that row too, so none can appear behind this one's back. Returns how many there were.
 */
export const revokeGrantsOf = (db: Transaction, userId: string): Promise<number> => queries.deleteGrantsOf(db, userId)
