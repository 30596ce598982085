// Reactions as they are stored: one row per comment, user and kind.
import { type ReactionKind, reactionKinds } from '../../contract/kinds.ts'
import { countChanged } from '../../database/engine.ts'
import { amongGiven, type Bind, prepared } from '../../database/prepared.ts'
import type { Db, ReactionTable, Transaction } from '../../database/schema.ts'

const own = prepared(
  (db, given: Bind<{ ids: string; userId: string }>) =>
    db
      .selectFrom('reaction')
      .select(['commentId', 'reaction'])
      .where('commentId', ...amongGiven(db, given, 'ids'))
      .where('userId', '=', given('userId')),
  { cached: true },
)

/** A user's reactions to these comments, by comment; a comment without one is not in the map. */
export async function mapReactions(
  db: Db,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, ReactionKind[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await own(db, { ids: JSON.stringify(ids), userId })
  const mine = new Map<string, ReactionKind[]>()
  for (const { commentId, reaction } of rows) {
    const others = mine.get(commentId)
    mine.set(
      commentId,
      others ? reactionKinds.filter((kind) => kind === reaction || others.includes(kind)) : [reaction],
    )
  }
  return mine
}

/** Some of a user's reactions, in the order of the comments. */
export function listReactionsBy(db: Db, userId: string, limit: number): Promise<ReactionTable[]> {
  return db
    .selectFrom('reaction')
    .select(['commentId', 'userId', 'reaction'])
    .where('userId', '=', userId)
    .orderBy('commentId')
    .limit(limit)
    .execute()
}

/** False when it is there already. */
export async function insertReaction(db: Transaction, row: ReactionTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('reaction')
    .values(row)
    .onConflict((conflict) => conflict.columns(['commentId', 'userId', 'reaction']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** False when it is not there. */
export async function deleteReaction(
  db: Transaction,
  { commentId, userId, reaction }: ReactionTable,
): Promise<boolean> {
  return (
    (await countChanged(
      db
        .deleteFrom('reaction')
        .where('commentId', '=', commentId)
        .where('userId', '=', userId)
        .where('reaction', '=', reaction),
    )) === 1
  )
}

/** Changes the counts of a comment. */
export async function addReactions(
  db: Transaction,
  { commentId, reaction }: Pick<ReactionTable, 'commentId' | 'reaction'>,
  delta: 1 | -1,
): Promise<void> {
  await db
    .updateTable('comment')
    .set((comment) => ({
      score: comment('score', '+', delta),
      [reaction]: comment(reaction, '+', delta),
    }))
    .where('id', '=', commentId)
    .execute()
}
