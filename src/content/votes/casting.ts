// Casting of votes on every subject that has them. The score is kept with the target and in the feed, in the transaction of the vote.
// Votes that arrive while others are being written share the next transaction: one statement each locks the targets, counts against
// the budgets and changes votes, scores and feed.

import type { z } from 'zod'
import { countEach, OverBudget } from '../../budgets/counting.ts'
import { hasBoards } from '../../contract/standing.ts'
import { isNodeAway, locksRows } from '../../database/engine.ts'
import { waitForLocks } from '../../database/prepared.ts'
import type { Db } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { Gathering } from '../../runtime/once.ts'
import { outageOf } from '../../runtime/outage.ts'
import { required } from '../../runtime/untyped.ts'
import { addToEntries } from '../entries/entries.ts'
import type { Votable } from '../things.ts'
import type { VoteInput, VoteResult } from './contract.ts'
import * as queries from './queries.ts'
import { applyVotes, type CastVote } from './rules.ts'

type Result = z.output<typeof VoteResult>

interface Vote extends CastVote, Pick<Context<Caller>, 'budget'> {}

/** What a vote has come to, when its transaction is committed: gives the result, or throws the refusal. */
type Outcome = () => Result

/** The most votes of one transaction. */
const MAX_VOTES = 64
/** A target that is locked for longer does not hold up the votes on others. */
const PATIENCE = { atMostMilliseconds: 500 }

/** Sets, changes or (with 0) takes back the caller's vote. Right under any concurrency: the target is locked first. */
export function votingOn(votable: Votable) {
  const gatherings = new WeakMap<Db, Gathering<Vote, Outcome>>()
  return async (
    { db, caller, budget }: Context<Caller>,
    { id, value }: z.output<typeof VoteInput>,
  ): Promise<Result> => {
    // Votes of several callers are cast together: whether this one reads the board is found out before.
    if (hasBoards()) await votable.getRow?.(db, id)
    let gathering = gatherings.get(db)
    if (!gathering) {
      gathering = new Gathering((votes) => cast(db, votable, votes), { most: MAX_VOTES })
      gatherings.set(db, gathering)
    }
    const outcome = await gathering.add({ targetId: id, userId: caller.id, value, budget })
    return outcome()
  }
}

/** Casts the votes that have gathered. What one of them makes fail, or wait for long, does not hold up later votes. */
async function cast(db: Db, votable: Votable, votes: readonly Vote[]): Promise<(Outcome | Promise<Outcome>)[]> {
  try {
    return await castTogether(db, votable, { votes, ...PATIENCE })
  } catch (error) {
    const kind = outageOf(error)?.kind
    const isOfSome = (kind === 'busy' && locksRows(db)) || isNodeAway(error)
    if (!isOfSome && (kind !== undefined || votes.length === 1)) throw error
    const byTarget = Map.groupBy(votes, ({ targetId }) => targetId)
    const casting = new Map([...byTarget].map(([id, part]) => [id, castOnTarget(db, votable, part)]))
    return votes.map(async (vote) => required((await casting.get(vote.targetId))?.get(vote)))
  }
}

/**
 * Casts votes on one target; if that fails, and not because the database cannot write, each by itself: one alone asks one node of a
 * cluster.
 */
async function castOnTarget(db: Db, votable: Votable, votes: readonly Vote[]): Promise<Map<Vote, Outcome>> {
  try {
    const outcomes = await castTogether(db, votable, { votes })
    return new Map(votes.map((vote, index) => [vote, required(outcomes[index])]))
  } catch (error) {
    if (votes.length === 1 || (outageOf(error) && !isNodeAway(error))) throw error
  }
  const outcomes = new Map<Vote, Outcome>()
  for (const vote of votes) {
    const [outcome] = await castTogether(db, votable, { votes: [vote] }).catch((error: unknown) => [
      () => {
        throw error
      },
    ])
    outcomes.set(vote, required(outcome))
  }
  return outcomes
}

interface CastOptions {
  votes: readonly Vote[]
  /** How long to wait for a target that is locked; as long as the database does unless told. */
  atMostMilliseconds?: number
}

function castTogether(db: Db, votable: Votable, { votes, atMostMilliseconds }: CastOptions): Promise<Outcome[]> {
  return db.transaction().execute(async (transaction) => {
    const ids = [...new Set(votes.map(({ targetId }) => targetId))]
    if (atMostMilliseconds !== undefined) await waitForLocks(transaction, { atMostMilliseconds })
    const rows = await votable.lockAll(transaction, ids)
    const scores = new Map(rows.map(({ id, score }) => [id, score]))
    const found = votes.filter(({ targetId }) => scores.has(targetId))
    const counted = await countEach(
      transaction,
      found.map(({ budget }) => budget.claim()),
    )
    const admitted = found.filter((_, index) => !(counted[index] instanceof OverBudget))
    const values = await queries.mapVotesOf(transaction, admitted)
    const applied = applyVotes({ scores, values }, admitted)
    await queries.storeVotes(transaction, applied.changed)
    if (applied.scores.length > 0) {
      await votable.addScores(transaction, applied.scores)
      await addToEntries(transaction, applied.scores)
    }
    const results = new Map(admitted.map((vote, index) => [vote, applied.results[index]]))
    const standings = new Map(found.map((vote, index) => [vote, counted[index]]))
    return votes.map((vote) => () => {
      const standing = standings.get(vote)
      if (!standing) throw votable.noSuchThing()
      vote.budget.settle(standing)
      return required(results.get(vote))
    })
  })
}
