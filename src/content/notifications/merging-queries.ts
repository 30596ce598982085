// Followers of a merged thing, and what was told of it, go over to its target.
import { sql } from 'kysely'
import { recordsIn } from '../../database/engine.ts'
import type { FollowTable, Transaction } from '../../database/schema.ts'
import type { Move } from '../merging/rules.ts'

/** Moves some followers. What an account chose for the target stays. */
export async function moveFollows(db: Transaction, { from, to, limit }: Move): Promise<number> {
  const some = db.selectFrom('follow').select('userId').where('targetId', '=', from).orderBy('userId').limit(limit)
  const follows = await db
    .deleteFrom('follow')
    .where('targetId', '=', from)
    .where('userId', 'in', some)
    .returning(['userId', 'state', 'createdAt'])
    .execute()
  if (follows.length === 0) return 0
  const columns = { userId: 'text', state: 'text', createdAt: 'text' } as const
  const given = recordsIn<Omit<FollowTable, 'targetId'>>(db, JSON.stringify(follows), columns)
  await db
    .insertInto('follow')
    .columns(['targetId', 'userId', 'state', 'createdAt'])
    .expression(
      db
        .selectFrom(given)
        .select([sql<string>`cast(${to} as text)`.as('targetId'), 'given.userId', 'given.state', 'given.createdAt'])
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) => conflict.columns(['targetId', 'userId']).doNothing())
    .execute()
  return follows.length
}

/** Moves what was told of a thing: it disappears with the target. */
export async function moveEvents(db: Transaction, { from, to, limit }: Move): Promise<number> {
  const some = db
    .selectFrom('event')
    .select('id')
    .where('targetId', '=', from)
    .where('kind', 'not in', ['gone', 'hidden', 'blocked'])
    .orderBy('id')
    .limit(limit)
  const { numUpdatedRows } = await db
    .updateTable('event')
    .set({ targetId: to })
    .where('id', 'in', some)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
