// Votes on a merged thing go over to its target, and back where the merge is undone.
import { sql } from 'kysely'
import { recordsIn } from '../../database/engine.ts'
import type { Transaction, VoteTable } from '../../database/schema.ts'
import { amongVoteIds, voteId } from '../../database/vote-ids.ts'
import type { Move } from '../merged/rules.ts'
import { insertParts, type Part, takeWaiting } from '../merged/undo-queries.ts'

type MovedVote = Omit<VoteTable, 'targetId'>

/** Adds votes to a thing where the accounts have none on it; gives those that were added. */
async function insertVotes(db: Transaction, targetId: string, votes: readonly MovedVote[]): Promise<MovedVote[]> {
  if (votes.length === 0) return []
  const given = recordsIn<MovedVote>(db, JSON.stringify(votes), { userId: 'text', value: 'integer' })
  const rows = db
    .selectFrom(given)
    .select([voteId(db, targetId).as('targetId'), voteId(db, sql.ref('given.userId')).as('userId'), 'given.value'])
    .where(sql<boolean>`true`)
  return db
    .insertInto('vote')
    .columns(['targetId', 'userId', 'value'])
    .expression(rows)
    .onConflict((conflict) => conflict.columns(['targetId', 'userId']).doNothing())
    .returning(['userId', 'value'])
    .execute()
}

const voteOf = (text: string | null): MovedVote['value'] => (text === '-1' ? -1 : 1)
const sum = (votes: readonly MovedVote[]) => votes.reduce((total, { value }) => total + value, 0)

/** Moves some votes. An account that has voted on the target keeps that vote. Gives how many there were, and what they add to the score. */
export async function moveVotes(db: Transaction, { from, to, limit }: Move): Promise<{ count: number; score: number }> {
  const source = voteId(db, from)
  const some = db.selectFrom('vote').select('userId').where('targetId', '=', source).orderBy('userId').limit(limit)
  const votes = await db
    .deleteFrom('vote')
    .where('targetId', '=', source)
    .where('userId', 'in', some)
    .returning(['userId', 'value'])
    .execute()
  const added = await insertVotes(db, to, votes)
  const isAdded = new Set(added.map(({ userId }) => userId))
  const parts = votes.map(
    ({ userId: partId, value }): Part =>
      isAdded.has(partId) ? { partId, isAdded: 1, value: null } : { partId, isAdded: 0, value: String(value) },
  )
  await insertParts(db, { mergedId: from, kind: 'vote' }, parts)
  return { count: votes.length, score: sum(added) }
}

/**
 * Brings votes back. One that went over goes back as it is now; one that did not is there again as it was. Gives what that adds to the
 * score of the target and of the thing.
 */
export async function returnVotes(
  db: Transaction,
  { from, to }: Omit<Move, 'limit'>,
  parts: readonly Part[],
): Promise<{ target: number; thing: number }> {
  const accounts = parts.filter(({ isAdded }) => isAdded === 1).map(({ partId }) => partId)
  const own = parts.flatMap(({ partId: userId, value }) => (value === null ? [] : { userId, value: voteOf(value) }))
  const taken =
    accounts.length > 0
      ? await db
          .deleteFrom('vote')
          .where('targetId', '=', voteId(db, from))
          .where('userId', ...amongVoteIds(db, JSON.stringify(accounts)))
          .returning(['userId', 'value'])
          .execute()
      : []
  const waiting = await takeWaiting(db, { targetId: from, kind: 'vote', accounts: taken.map(({ userId }) => userId) })
  const stay = waiting.map(({ partId: userId, value }) => ({ userId, value: voteOf(value) }))
  const added = await insertVotes(db, from, stay)
  return { target: sum(added) - sum(taken), thing: sum(await insertVotes(db, to, [...taken, ...own])) }
}
