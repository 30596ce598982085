// How votes are stored and removed, many in a statement.
import { sql } from 'kysely'
import { recordsIn } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import { inTransaction } from '../../database/rows.ts'
import type { Transaction, VoteTable } from '../../database/schema.ts'
import { onlyPair, type Pair, pairs } from './queries.ts'
import type { Cast } from './rules.ts'

const upsert = prepared(
  (db, given: Bind<{ votes: string }>) =>
    db
      .insertInto('vote')
      .columns(['targetId', 'userId', 'value'])
      .expression(
        db
          .selectFrom(recordsIn<VoteTable>(db, given('votes'), { ...pairs, value: 'integer' }))
          .select(['given.targetId', 'given.userId', 'given.value'])
          // SQLite would take what follows for a join.
          .where(sql<boolean>`true`),
      )
      .onConflict((conflict) =>
        conflict.columns(['targetId', 'userId']).doUpdateSet({ value: (row) => row.ref('excluded.value') }),
      ),
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
          .select(['given.targetId', 'given.userId'])
          .$asTuple('targetId', 'userId'),
      ),
    ),
  { pipelined: true },
)

/** Stores votes on targets that are locked; one of 0 is taken back. */
export async function storeVotes(db: Transaction, casts: readonly Cast[]): Promise<void> {
  const [given, taken] = [casts.filter(({ value }) => value !== 0), casts.filter(({ value }) => value === 0)]
  if (given.length > 0) {
    await upsert(db, { votes: JSON.stringify(given.map((cast) => ({ ...onlyPair(cast), value: cast.value }))) })
  }
  if (taken.length > 0) await removal(db, { pairs: JSON.stringify(taken.map(onlyPair)) })
}

/** Removes every vote on a target that is going away. */
export const deleteVotes = inTransaction.deleteFrom('vote', 'targetId')
