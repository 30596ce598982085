// Votes as readers see them, and what goes with a target; how they are cast is in casting.ts.
import type { Db } from '../../database/schema.ts'
import type { Caller } from '../../request/handler.ts'
import * as queries from './queries.ts'

export { deleteVotes } from './storing-queries.ts'

/** The caller's own vote on each of the given targets: 0 for none, and for anonymous users. */
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
