// Votes as they are stored: one row a user and target; no row is no vote.
import { among } from '../../database/engine.ts'
import type { Db, Transaction, VoteTable } from '../../database/schema.ts'

type Value = VoteTable['value']

export async function findVote(db: Db, targetId: string, userId: string): Promise<Value | 0> {
  const row = await db
    .selectFrom('vote')
    .select('value')
    .where('targetId', '=', targetId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row?.value ?? 0
}

/** A user's votes on the given targets, by target; a target without a vote is not in the map. */
export async function mapVotes(db: Db, userId: string, targetIds: readonly string[]): Promise<Map<string, Value>> {
  if (targetIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('vote')
    .select(['targetId', 'value'])
    .where('targetId', 'in', among(db, targetIds))
    .where('userId', '=', userId)
    .execute()
  return new Map(rows.map(({ targetId, value }) => [targetId, value]))
}

export async function upsertVote(db: Transaction, vote: VoteTable): Promise<void> {
  await db
    .insertInto('vote')
    .values(vote)
    .onConflict((conflict) => conflict.columns(['targetId', 'userId']).doUpdateSet({ value: vote.value }))
    .execute()
}

export async function deleteVote(db: Transaction, targetId: string, userId: string): Promise<void> {
  await db.deleteFrom('vote').where('targetId', '=', targetId).where('userId', '=', userId).execute()
}

/** Removes every vote on a target that is going away. */
export async function deleteVotes(db: Transaction, targetId: string): Promise<void> {
  await db.deleteFrom('vote').where('targetId', '=', targetId).execute()
}
