// How mailed codes are stored that agents exchange for a token.
import type { Selectable } from 'kysely'
import { locking } from '../database/engine.ts'
import { plain } from '../database/rows.ts'
import type { ClaimTable, Db, Transaction } from '../database/schema.ts'

export type Claim = Selectable<ClaimTable>

export const insertClaim = plain.insertInto('claim')

/** When the claims of an address since `since` and up to `until` were made and used, oldest first. */
export function listClaims(db: Db, email: string, { since, until }: { since: string; until: string }) {
  return db
    .selectFrom('claim')
    .select(['createdAt', 'usedAt'])
    .where('email', '=', email)
    .where('createdAt', '>', since)
    .where('createdAt', '<=', until)
    .orderBy('createdAt')
    .execute()
}

/** The same of an address and client. */
export function lockNewestClaim(db: Transaction, of: Pick<Claim, 'email' | 'clientId'>, until: string) {
  const claims = db
    .selectFrom('claim')
    .selectAll()
    .where((e) => e.and(of))
  const newest = claims.where('createdAt', '<=', until).orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(1)
  return locking(db, newest).executeTakeFirst()
}
