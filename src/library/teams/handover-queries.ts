// Accounts that left a team, whose items of the team go on to others.
import { type Given, prepared } from '../../database/prepared.ts'
import { plain } from '../../database/rows.ts'
import type { Db, TeamHandoverTable, Transaction } from '../../database/schema.ts'

/** Lets the background give items of a team to others. */
export async function insertHandover(db: Transaction, row: TeamHandoverTable): Promise<void> {
  await db
    .insertInto('teamHandover')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const some = prepared((db, given: Given<{ limit: number }>) =>
  db.selectFrom('teamHandover').selectAll().orderBy('teamId').orderBy('accountId').limit(given('limit')),
)

export const listHandovers = async (db: Db, limit: number): Promise<readonly TeamHandoverTable[]> =>
  (await some(db, { limit })).rows

export async function deleteHandover(db: Transaction, { teamId, accountId }: TeamHandoverTable): Promise<void> {
  await db.deleteFrom('teamHandover').where('teamId', '=', teamId).where('accountId', '=', accountId).execute()
}

export const deleteHandoversOf = plain.deleteFrom('teamHandover', 'accountId')
