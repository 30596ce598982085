// Texts that wait to be shown to the classifier.
import { type Insertable, sql } from 'kysely'
import { deleteUntil } from '../../database/expiry.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import { plain } from '../../database/rows.ts'
import type { ClassifierCheckTable, Db, Transaction } from '../../database/schema.ts'

/** Has a text wait. One that waits already, or was given up, has one row, and waits as it is now. */
export async function upsertCheck(
  db: Transaction,
  row: Omit<Insertable<ClassifierCheckTable>, 'changes'>,
): Promise<void> {
  const { viaClientId } = row
  await db
    .insertInto('classifierCheck')
    .values({ ...row, changes: 0 })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ eb, ref }) => ({
        ...{ viaClientId, givenUpAt: null },
        changes: eb(ref('classifierCheck.changes'), '+', 1),
      })),
    )
    .execute()
}

const waiting = prepared((db, given: Bind<{ limit: number }>) =>
  db
    .selectFrom('classifierCheck')
    .select(['id', 'changes', 'createdAt as since'])
    .where('givenUpAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(given('limit')),
)

/** Those that wait, the longest first. A text that changed has another key: its tries begin again. */
export const listWaiting = async (db: Db, limit: number) =>
  (await waiting(db, { limit })).rows.map(({ id, changes, since }) => ({
    key: changes > 0 ? `${id}/${changes}` : id,
    since,
  }))

/** The id of the thing that a key is about. */
export const idIn = (key: string): string => key.split('/')[0] ?? key

export const findCheck = plain.selectFrom('classifierCheck', 'id', ['id', 'type', 'viaClientId', 'changes'])
export const updateCheck = plain.updateTable('classifierCheck', 'id')

/** Has a text wait no longer, unless it changed since. */
export async function deleteCheck(db: Transaction, { id, changes }: { id: string; changes: number }): Promise<void> {
  await db.deleteFrom('classifierCheck').where('id', '=', id).where('changes', '=', changes).execute()
}

/** Removes what was given up until then. */
export const deleteGivenUp = (db: Db, until: string): Promise<void> => {
  const where = sql<boolean>`"givenUpAt" is not null`
  return deleteUntil(db, { table: 'classifierCheck', key: 'id', since: 'givenUpAt', where }, until)
}
