// Votes on a merged thing go over to its target.
import { sql } from 'kysely'
import { recordsIn } from '../../database/engine.ts'
import type { Transaction, VoteTable } from '../../database/schema.ts'
import type { Move } from '../merging/rules.ts'

/** Moves some votes. An account that has voted on the target keeps that vote. Gives how many there were, and what they add to the score. */
export async function moveVotes(db: Transaction, { from, to, limit }: Move): Promise<{ count: number; score: number }> {
  const some = db.selectFrom('vote').select('userId').where('targetId', '=', from).orderBy('userId').limit(limit)
  const votes = await db
    .deleteFrom('vote')
    .where('targetId', '=', from)
    .where('userId', 'in', some)
    .returning(['userId', 'value'])
    .execute()
  if (votes.length === 0) return { count: 0, score: 0 }
  const given = recordsIn<Omit<VoteTable, 'targetId'>>(db, JSON.stringify(votes), { userId: 'text', value: 'integer' })
  const added = await db
    .insertInto('vote')
    .columns(['targetId', 'userId', 'value'])
    .expression(
      db
        .selectFrom(given)
        .select([sql<string>`cast(${to} as text)`.as('targetId'), 'given.userId', 'given.value'])
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) => conflict.columns(['targetId', 'userId']).doNothing())
    .returning('value')
    .execute()
  return { count: votes.length, score: added.reduce((sum, { value }) => sum + value, 0) }
}
