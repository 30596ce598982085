// Votes as they are stored: one row a user and target; no row is no vote.
import { among, recordsIn } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Db, VoteTable } from '../../database/schema.ts'
import { pairOf } from './rules.ts'

type Value = VoteTable['value']

const votesOnTargets = prepared(
  (db, given: Bind<{ targets: string; userId: string }>) =>
    db
      .selectFrom('vote')
      .select(['targetId', 'value'])
      .where('targetId', 'in', among(db, given('targets')))
      .where('userId', '=', given('userId')),
  { cached: true },
)

/** A user's votes on the given targets, by target; a target without a vote is not in the map. */
export async function mapVotes(db: Db, userId: string, targetIds: readonly string[]): Promise<Map<string, Value>> {
  if (targetIds.length === 0) return new Map()
  const { rows } = await votesOnTargets(db, { targets: JSON.stringify(targetIds), userId })
  return new Map(rows.map(({ targetId, value }) => [targetId, value]))
}

export type Pair = Pick<VoteTable, 'targetId' | 'userId'>

export const onlyPair = ({ targetId, userId }: Pair): Pair => ({ targetId, userId })
export const pairs = { targetId: 'text', userId: 'text' } as const

const votesOfPairs = prepared((db, given: Bind<{ pairs: string }>) =>
  db
    .selectFrom(recordsIn<Pair>(db, given('pairs'), pairs))
    .innerJoin('vote', (join) =>
      join.onRef('vote.targetId', '=', 'given.targetId').onRef('vote.userId', '=', 'given.userId'),
    )
    .select(['vote.targetId', 'vote.userId', 'vote.value']),
)

/** The votes of these people on these targets, by `pairOf`. */
export async function mapVotesOf(db: Db, of: readonly Pair[]): Promise<Map<string, Value>> {
  if (of.length === 0) return new Map()
  const { rows } = await votesOfPairs(db, { pairs: JSON.stringify(of.map(onlyPair)) })
  return new Map(rows.map((vote) => [pairOf(vote), vote.value]))
}

/** Some of the targets that a user voted on, in the order of their ids. */
export async function listVotedOn(db: Db, userId: string, limit: number): Promise<string[]> {
  const votes = db.selectFrom('vote').select('targetId').where('userId', '=', userId)
  return (await votes.orderBy('targetId').limit(limit).execute()).map(({ targetId }) => targetId)
}
