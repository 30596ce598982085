// Voting, for whatever can be voted on. The score is kept with the target and in the feed, in the transaction of the vote.
import type { z } from 'zod'
import type { Db, Transaction } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { addToEntry } from '../feed/feed.ts'
import type { VoteInput, VoteResult } from './contract.ts'
import * as queries from './queries.ts'

export { deleteVotes } from './queries.ts'

/** What can be voted on (content/subject-queries.ts). */
export interface Votable {
  /** Locks the target until the transaction ends; throws `not_found`. */
  lock(db: Transaction, id: string): Promise<{ score: number }>
  addCounts(db: Transaction, id: string, delta: { score: number }): Promise<void>
}

/** Sets, changes or (with 0) takes back the caller's vote. Right under any concurrency: the target is locked first. */
export function vote(
  { db, caller, budget }: Context<Caller>,
  votable: Votable,
  { id, value }: z.output<typeof VoteInput>,
): Promise<z.output<typeof VoteResult>> {
  return db.transaction().execute(async (transaction) => {
    const { score } = await votable.lock(transaction, id)
    await budget.spend(transaction)
    const delta = value - (await queries.findVote(transaction, id, caller.id))
    if (delta !== 0) {
      if (value === 0) await queries.deleteVote(transaction, id, caller.id)
      else await queries.upsertVote(transaction, { targetId: id, userId: caller.id, value })
      await votable.addCounts(transaction, id, { score: delta })
      await addToEntry(transaction, id, { score: delta })
    }
    return { score: score + delta, myVote: value }
  })
}

/** The caller's own vote on each of the given targets: 0 for none, and for strangers. */
export async function myVotes(
  db: Db,
  caller: Caller | undefined,
  targets: readonly { id: string }[],
): Promise<(target: { id: string }) => 1 | -1 | 0> {
  if (!caller) return () => 0
  const ids = targets.map(({ id }) => id)
  const votes = await queries.mapVotes(db, caller.id, ids)
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
