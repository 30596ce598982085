// Votes as they are stored: one row a user and target; no row is no vote.
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

/** One query for each number of targets: a page has at most 100. */
const votesOnPage = Array.from({ length: 101 }, (_, count) =>
  prepared((db, given: Given<Record<`target${number}` | 'userId', string>>) =>
    db
      .selectFrom('vote')
      .select(['targetId', 'value'])
      .where(
        'targetId',
        'in',
        Array.from({ length: count }, (_, index) => given(`target${index}`)),
      )
      .where('userId', '=', given('userId')),
  ),
)

/** A user's votes on at most 100 targets, by target; a target without a vote is not in the map. */
export async function mapVotes(db: Db, userId: string, targetIds: readonly string[]): Promise<Map<string, Value>> {
  if (targetIds.length === 0) return new Map()
  const targets = Object.fromEntries(targetIds.map((id, index) => [`target${index}`, id]))
  const { rows } = await votesOnPage[targetIds.length]!(db, { ...targets, userId })
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
