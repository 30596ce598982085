// Votes as they are stored: one row a user and target; no row is no vote.
import { among } from '../../database/engine.ts'
import { type Given, prepared } from '../../database/prepared.ts'
import type { Db, Transaction, VoteTable } from '../../database/schema.ts'

type Value = VoteTable['value']

const ownVote = prepared((db, given: Given<{ targetId: string; userId: string }>) =>
  db.selectFrom('vote').select('value').where('targetId', '=', given('targetId')).where('userId', '=', given('userId')),
)

export async function findVote(db: Db, targetId: string, userId: string): Promise<Value | 0> {
  const { rows } = await ownVote(db, { targetId, userId })
  return rows[0]?.value ?? 0
}

const votesOnTargets = prepared((db, given: Given<{ targets: string; userId: string }>) =>
  db
    .selectFrom('vote')
    .select(['targetId', 'value'])
    .where('targetId', 'in', among(db, given('targets')))
    .where('userId', '=', given('userId')),
)

/** A user's votes on the given targets, by target; a target without a vote is not in the map. */
export async function mapVotes(db: Db, userId: string, targetIds: readonly string[]): Promise<Map<string, Value>> {
  if (targetIds.length === 0) return new Map()
  const { rows } = await votesOnTargets(db, { targets: JSON.stringify(targetIds), userId })
  return new Map(rows.map(({ targetId, value }) => [targetId, value]))
}

const upsert = prepared((db, given: Given<VoteTable>) =>
  db
    .insertInto('vote')
    .values({ targetId: given('targetId'), userId: given('userId'), value: given('value') })
    .onConflict((conflict) => conflict.columns(['targetId', 'userId']).doUpdateSet({ value: given('value') })),
)

export async function upsertVote(db: Transaction, vote: VoteTable): Promise<void> {
  await upsert(db, vote)
}

export async function deleteVote(db: Transaction, targetId: string, userId: string): Promise<void> {
  await db.deleteFrom('vote').where('targetId', '=', targetId).where('userId', '=', userId).execute()
}

/** Removes every vote on a target that is going away. */
export async function deleteVotes(db: Transaction, targetId: string): Promise<void> {
  await db.deleteFrom('vote').where('targetId', '=', targetId).execute()
}
