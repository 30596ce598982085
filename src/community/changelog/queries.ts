// What releases have still to close, as it is stored.

import { sql } from 'kysely'
import type { ThingToClose } from '../../content/edits/closing.ts'
import { hiddenBy } from '../../content/hiding/rules.ts'
import { isBehind } from '../../content/listing-queries.ts'
import type { Range } from '../../database/cursor.ts'
import { countRows, locking } from '../../database/engine.ts'
import { prepared } from '../../database/prepared.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { parseJson } from '../../runtime/untyped.ts'

/** What a release has still to close. */
export const pendingIn = ({ pending }: { pending: string | null }): ThingToClose[] =>
  parseJson<ThingToClose[]>(pending ?? '[]')

const pending = prepared((db) =>
  db.selectFrom('release').select(['id', 'pending']).where('pending', 'is not', null).orderBy('id').limit(1),
)

/** The oldest release that has not closed everything. */
export const findPending = async (db: Db) => (await pending(db, {})).rows[0]

/** Drafts, newest first. */
export function listDrafts(db: Db, { offset, limit, after }: Range): Promise<{ id: string; createdAt: string }[]> {
  return drafts(db)
    .select(['id', 'createdAt'])
    .$if(after !== undefined, (rows) => rows.where(isBehind({ of: 'release', sort: 'latest' }, after ?? [])))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
}

const drafts = (db: Db) => db.selectFrom('release').where('hidden', '=', sql.lit(hiddenBy.draft))

export const countDrafts = (db: Db): Promise<number> => countRows(drafts(db))

/** What a locked release has still to close. */
export async function listPending(db: Transaction, id: string): Promise<ThingToClose[]> {
  const release = await db.selectFrom('release').select('pending').where('id', '=', id).executeTakeFirst()
  return pendingIn({ pending: release?.pending ?? null })
}

/** Locks a release that has still something to close. */
export const lockPending = (db: Transaction, id: string) =>
  locking(
    db,
    db
      .selectFrom('release')
      .select(['id', 'number', 'authorId', 'pending', 'hidden'])
      .where('id', '=', id)
      .where('pending', 'is not', null),
  ).executeTakeFirst()

/** Stores what a release has still to close. */
export async function updatePending(db: Transaction, id: string, left: readonly object[]): Promise<void> {
  const changes = { pending: left.length > 0 ? JSON.stringify(left) : null }
  await db.updateTable('release').set(changes).where('id', '=', id).execute()
}
