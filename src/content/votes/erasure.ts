// The erasure of an account's votes: the scores of what it voted on go back in the same transaction.

import type { Transaction } from '../../database/schema.ts'
import { ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import { addToEntries } from '../entries/entries.ts'
import type { AnyVotable } from '../things.ts'
import * as queries from './queries.ts'

/** A target that is hidden, with what it is. */
async function lockHidden(db: Transaction, votables: readonly AnyVotable[], id: string) {
  for (const votable of votables) if (await votable.findLockedAny(db, id)) return [{ votable, rows: [{ id }] }]
  return []
}

/** `votables` are all there are: orgs of the gallery before the items that the library shows of them. */
export const voteErasure = (votables: readonly AnyVotable[]): ErasureStep => ({
  name: 'votes',
  part: 'content',
  clears: ['vote.userId'],
  erase: ({ db }, { id: userId }) =>
    db.transaction().execute(async (transaction) => {
      const targetIds = await queries.listVotedOn(transaction, userId, ERASURE_BATCH)
      if (targetIds.length === 0) return false
      const locked = []
      const left = new Set(targetIds)
      for (const votable of votables) {
        const rows = await votable.lockAll(transaction, targetIds)
        for (const { id } of rows) left.delete(id)
        locked.push({ votable, rows })
      }
      for (const id of left) locked.push(...(await lockHidden(transaction, votables, id)))
      const pairs = targetIds.map((targetId) => ({ targetId, userId }))
      // Read under the locks, so that a concurrent vote has waited or is counted.
      const votes = await queries.mapVotes(transaction, userId, targetIds)
      await queries.storeVotes(
        transaction,
        pairs.map((pair) => ({ ...pair, value: 0 })),
      )
      for (const { votable, rows } of locked) {
        const scores = rows.map(({ id }) => ({ id, score: -(votes.get(id) ?? 0) }))
        if (scores.length === 0) continue
        await votable.addScores(transaction, scores)
        await addToEntries(transaction, scores)
      }
      return targetIds.length === ERASURE_BATCH
    }),
})
