// Votes as they are stored: one row a user and target; no row is no vote.

import { sql } from 'kysely'
import { recordsIn } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Db, Transaction, VoteTable } from '../../database/schema.ts'
import { amongGivenVoteIds, voteId } from '../../database/vote-ids.ts'
import type { Caller } from '../../request/handler.ts'
import { type CastVote, pairOf } from './rules.ts'

type Value = VoteTable['value']

const votesOnTargets = prepared(
  (db, given: Bind<{ targets: string; userId: string }>) =>
    db
      .selectFrom('vote')
      .select(['targetId', 'value'])
      .where('targetId', ...amongGivenVoteIds(db, given, 'targets'))
      .where('userId', '=', voteId(db, given('userId'))),
  { cached: true },
)

/** A user's votes on the given targets, by target; a target without a vote is not in the map. */
export async function mapVotes(db: Db, userId: string, targetIds: readonly string[]): Promise<Map<string, Value>> {
  if (targetIds.length === 0) return new Map()
  const { rows } = await votesOnTargets(db, { targets: JSON.stringify(targetIds), userId })
  return new Map(rows.map(({ targetId, value }) => [targetId, value]))
}

type Pair = Pick<VoteTable, 'targetId' | 'userId'>

const onlyPair = ({ targetId, userId }: Pair): Pair => ({ targetId, userId })
const pairs = { targetId: 'text', userId: 'text' } as const

/** The commonest case: it asks one shard of a distributed table, and the index by both ids, also where PostgreSQL has no figures of them. */
const voteOfOne = prepared((db, given: Bind<Pair>) =>
  db
    .selectFrom('vote')
    .select(['targetId', 'userId', 'value'])
    .where('targetId', '=', voteId(db, given('targetId')))
    .where('userId', '=', voteId(db, given('userId'))),
)

/** A column of `recordsIn`, as votes have it. */
const givenId = (db: Db, column: keyof Pair) => voteId(db, sql.ref(`given.${column}`))

const votesOfPairs = prepared((db, given: Bind<{ pairs: string }>) =>
  db
    .selectFrom(recordsIn<Pair>(db, given('pairs'), pairs))
    .innerJoin('vote', (join) =>
      join.on('vote.targetId', '=', givenId(db, 'targetId')).on('vote.userId', '=', givenId(db, 'userId')),
    )
    .select(['vote.targetId', 'vote.userId', 'vote.value']),
)

/** The votes of these people on these targets, by `pairOf`. */
export async function mapVotesOf(db: Db, of: readonly Pair[]): Promise<Map<string, Value>> {
  const [one, ...others] = of
  if (!one) return new Map()
  const { rows } =
    others.length === 0
      ? await voteOfOne(db, onlyPair(one))
      : await votesOfPairs(db, { pairs: JSON.stringify(of.map(onlyPair)) })
  return new Map(rows.map((vote) => [pairOf(vote), vote.value]))
}

/** Some of the targets that a user voted on, in the order of their ids. */
export async function listVotedOn(db: Db, userId: string, limit: number): Promise<string[]> {
  const votes = db.selectFrom('vote').select('targetId').where('userId', '=', voteId(db, userId))
  return (await votes.orderBy('targetId').limit(limit).execute()).map(({ targetId }) => targetId)
}

const upsertOne = prepared(
  (db, given: Bind<VoteTable>) =>
    db
      .insertInto('vote')
      .values({
        targetId: voteId(db, given('targetId')),
        userId: voteId(db, given('userId')),
        value: given('value'),
      })
      .onConflict((conflict) =>
        conflict.columns(['targetId', 'userId']).doUpdateSet({ value: (row) => row.ref('excluded.value') }),
      ),
  { pipelined: true },
)

const upsert = prepared(
  (db, given: Bind<{ votes: string }>) =>
    db
      .insertInto('vote')
      .columns(['targetId', 'userId', 'value'])
      .expression(
        db
          .selectFrom(recordsIn<VoteTable>(db, given('votes'), { ...pairs, value: 'integer' }))
          .select([givenId(db, 'targetId').as('targetId'), givenId(db, 'userId').as('userId'), 'given.value'])
          // SQLite would take what follows for a join.
          .where(sql<boolean>`true`),
      )
      .onConflict((conflict) =>
        conflict.columns(['targetId', 'userId']).doUpdateSet({ value: (row) => row.ref('excluded.value') }),
      ),
  { pipelined: true },
)

const removalOfOne = prepared(
  (db, given: Bind<Pair>) =>
    db
      .deleteFrom('vote')
      .where('targetId', '=', voteId(db, given('targetId')))
      .where('userId', '=', voteId(db, given('userId'))),
  { pipelined: true },
)

const removal = prepared(
  (db, given: Bind<{ pairs: string }>) =>
    db.deleteFrom('vote').where((row) =>
      row(
        row.refTuple('targetId', 'userId'),
        'in',
        db
          .selectFrom(recordsIn<Pair>(db, given('pairs'), pairs))
          .select([givenId(db, 'targetId').as('targetId'), givenId(db, 'userId').as('userId')])
          .$asTuple('targetId', 'userId'),
      ),
    ),
  { pipelined: true },
)

/** Stores votes on targets that are locked; one of 0 is taken back. One vote alone asks one shard of a distributed table. */
export async function storeVotes(db: Transaction, casts: readonly CastVote[]): Promise<void> {
  const given = casts.flatMap(({ targetId, userId, value }) => (value === 0 ? [] : [{ targetId, userId, value }]))
  const taken = casts.filter(({ value }) => value === 0).map(onlyPair)
  const [[one], [gone]] = [given, taken]
  if (one) await (given.length === 1 ? upsertOne(db, one) : upsert(db, { votes: JSON.stringify(given) }))
  if (gone) await (taken.length === 1 ? removalOfOne(db, gone) : removal(db, { pairs: JSON.stringify(taken) }))
}

/** Removes every vote on a target that is going away. */
export async function deleteVotes(db: Transaction, targetId: string): Promise<void> {
  await db.deleteFrom('vote').where('targetId', '=', voteId(db, targetId)).execute()
}

/** The caller's own vote on each of the given targets: 0 for none, and for anonymous users. */
export async function myVotes(
  db: Db,
  caller: Caller | undefined,
  targets: readonly { id: string }[],
): Promise<(target: { id: string }) => 1 | -1 | 0> {
  if (!caller) return () => 0
  const ids = targets.map(({ id }) => id)
  const votes = await mapVotes(db, caller.id, ids)
  return ({ id }) => votes.get(id) ?? 0
}

/** Adds the caller's own vote to each of a page's items. */
export async function withMyVotes<Item extends { id: string }>(
  db: Db,
  caller: Caller | undefined,
  items: readonly Item[],
): Promise<(Item & { myVote: 1 | -1 | 0 })[]> {
  const myVote = await myVotes(db, caller, items)
  return items.map((item) => ({ ...item, myVote: myVote(item) }))
}
