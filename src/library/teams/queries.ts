// Teams and their people as they are stored. The row of a team guards its people; who changes them locks it first, and an item before it.
import { type Selectable, sql } from 'kysely'
import { locking } from '../../database/engine.ts'
import { type Given, prepared } from '../../database/prepared.ts'
import { inTransaction } from '../../database/rows.ts'
import type { Db, TeamMemberTable, TeamTable, Transaction } from '../../database/schema.ts'

export type StoredTeam = Selectable<TeamTable>
export type Key = Pick<TeamMemberTable, 'teamId' | 'accountId'>

export const teams = (db: Db) => db.selectFrom('team').selectAll('team')

const byName = prepared((db, given: Given<{ slug: string }>) =>
  teams(db)
    .innerJoin('slug', 'slug.targetId', 'team.id')
    .where('slug.kind', '=', sql.lit('team'))
    .where('slug.slug', '=', given('slug')),
)

/** A team by its slug of today, or one that it had before. */
export async function findTeam(db: Db, slug: string): Promise<StoredTeam | undefined> {
  return (await byName(db, { slug })).rows[0]
}

export const findTeamById = (db: Db, id: string): Promise<StoredTeam | undefined> =>
  teams(db).where('team.id', '=', id).executeTakeFirst()

/** The same, locked until the transaction ends. */
export const lockTeam = (db: Transaction, id: string): Promise<StoredTeam | undefined> =>
  locking(db, teams(db).where('team.id', '=', id)).executeTakeFirst()

export const insertTeam = inTransaction.insertInto('team')
export const updateTeam = inTransaction.updateTable('team', 'id')

/** Its people and invitations go with it by the schema. */
export const deleteTeam = inTransaction.deleteFrom('team', 'id')
