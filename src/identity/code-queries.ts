// How mailed codes are stored: those of the site (emailCode), those that agents exchange for a token (claim), and proofs of work that were used.
import type { Selectable, Updateable } from 'kysely'
import { locking } from '../database/engine.ts'
import { plain } from '../database/rows.ts'
import type { ClaimTable, Db, EmailCodeTable, Transaction } from '../database/schema.ts'

export type EmailCode = Selectable<EmailCodeTable>
/** The columns that every code has. */
export type StoredCode = Omit<EmailCode, 'purpose' | 'email' | 'ownerId' | 'requestHash' | 'othersTries'>

export const insertCode = plain.insertInto('emailCode')

interface CodeFilter extends Pick<EmailCode, 'purpose' | 'email' | 'ownerId'> {
  /** Those of one browser alone. */
  requestHash?: string | undefined
}

/** The newest code of an address, purpose and owner that was created by `until`, locked, in any state. */
export function lockNewestCode(db: Transaction, { ownerId, requestHash, ...of }: CodeFilter, until: string) {
  const codes = db
    .selectFrom('emailCode')
    .select(['id', 'codeHash', 'failures', 'createdAt', 'expiresAt', 'usedAt', 'requestHash', 'othersTries'])
    .where((e) => e.and(of))
    .where('ownerId', ownerId === null ? 'is' : '=', ownerId)
    .$if(requestHash !== undefined, (rows) => rows.where('requestHash', '=', String(requestHash)))
  const newest = codes.where('createdAt', '<=', until).orderBy('id', 'desc').limit(1)
  return locking(db, newest).executeTakeFirst()
}

export async function updateCode(
  db: Db,
  table: 'emailCode' | 'claim',
  { id, ...changes }: Pick<StoredCode, 'id'> & Updateable<Pick<EmailCodeTable, 'usedAt' | 'failures'>>,
): Promise<void> {
  await db.updateTable(table).set(changes).where('id', '=', id).execute()
}

export const updateOthersTries = plain.updateTable('emailCode', 'id')

/** Removes every code of an account and its address, and that there were any. */
export async function forgetCodesOf(db: Db, { id, email }: { id: string; email: string }): Promise<void> {
  await db.deleteFrom('emailCode').where('email', '=', email).execute()
  await db.deleteFrom('emailCode').where('ownerId', '=', id).execute()
  await db.deleteFrom('claim').where('email', '=', email).execute()
}

/** Removes the codes of an account. Unused claims are invalidated by `failures`: they still count towards the limits. */
export async function deleteCodesOf(
  db: Transaction,
  { id, email }: { id: string; email: string },
  failures: number,
): Promise<void> {
  await db.deleteFrom('emailCode').where('email', '=', email).execute()
  await db.deleteFrom('emailCode').where('ownerId', '=', id).execute()
  await db.updateTable('claim').set({ failures }).where('email', '=', email).where('usedAt', 'is', null).execute()
}

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
    .select(['id', 'scope', 'codeHash', 'failures', 'createdAt', 'expiresAt', 'usedAt'])
    .where((e) => e.and(of))
  const newest = claims.where('createdAt', '<=', until).orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(1)
  return locking(db, newest).executeTakeFirst()
}

/** Remembers a proof; false when it was used before. */
export async function insertUsedProof(db: Transaction, proof: { hash: string; expiresAt: string }): Promise<boolean> {
  const insertion = db
    .insertInto('usedProof')
    .values(proof)
    .onConflict((conflict) => conflict.doNothing())
  return (await insertion.executeTakeFirstOrThrow()).numInsertedOrUpdatedRows === 1n
}
