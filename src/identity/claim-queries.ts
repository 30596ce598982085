// How claims are stored.
import type { Selectable, Updateable } from 'kysely'
import { locking } from '../database/engine.ts'
import type { ClaimTable, Db, Transaction } from '../database/schema.ts'
import { CODE_FAILURES } from './claim-rules.ts'

export type Claim = Selectable<ClaimTable>

export async function insertClaim(db: Db, claim: Claim): Promise<void> {
  await db.insertInto('claim').values(claim).execute()
}

/** When the claims of an address since `since` and up to `until` were made and used, oldest first. */
export function listClaims(
  db: Db,
  email: string,
  { since, until }: { since: string; until: string },
): Promise<Pick<Claim, 'createdAt' | 'usedAt'>[]> {
  return db
    .selectFrom('claim')
    .select(['createdAt', 'usedAt'])
    .where('email', '=', email)
    .where('createdAt', '>', since)
    .where('createdAt', '<=', until)
    .orderBy('createdAt')
    .execute()
}

/** The newest claim of an address and client that was created by `until`, locked, in any state. */
export function lockNewestClaim(
  db: Transaction,
  { email, clientId, until }: { email: string; clientId: string; until: string },
): Promise<Claim | undefined> {
  const newest = db
    .selectFrom('claim')
    .selectAll()
    .where('email', '=', email)
    .where('clientId', '=', clientId)
    .where('createdAt', '<=', until)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
  return locking(db, newest).executeTakeFirst()
}

export async function updateClaim(db: Db, id: string, changes: Updateable<ClaimTable>): Promise<void> {
  await db.updateTable('claim').set(changes).where('id', '=', id).execute()
}

/** The account of an address, if it may sign in. */
export function findClaimant(db: Db, email: string) {
  return db.selectFrom('user').selectAll().where('email', '=', email).where('blockedAt', 'is', null).executeTakeFirst()
}

/** Removes claims created before `moment`; returns their number. */
export async function deleteClaimsBefore(db: Db, moment: string, limit: number): Promise<number> {
  const old = db.selectFrom('claim').select('id').where('createdAt', '<=', moment).orderBy('createdAt').limit(limit)
  const { numDeletedRows } = await db.deleteFrom('claim').where('id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Invalidates the unused codes of an address. They still count. */
export async function endClaims(db: Transaction, email: string): Promise<void> {
  await db
    .updateTable('claim')
    .set({ failures: CODE_FAILURES })
    .where('email', '=', email)
    .where('usedAt', 'is', null)
    .execute()
}
