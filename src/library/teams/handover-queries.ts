// Accounts that left a team, whose items of the team go on to others.
import { prepared } from '../../database/prepared.ts'
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

const anyHandover = prepared((db) => db.selectFrom('teamHandover').selectAll().limit(1))

export const findHandover = async (db: Db): Promise<TeamHandoverTable | undefined> =>
  (await anyHandover(db, {})).rows[0]

export async function deleteHandover(db: Transaction, { teamId, accountId }: TeamHandoverTable): Promise<void> {
  await db.deleteFrom('teamHandover').where('teamId', '=', teamId).where('accountId', '=', accountId).execute()
}

export const deleteHandoversOf = plain.deleteFrom('teamHandover', 'accountId')
