// Which labels are on which bugs, as it is stored. Each row repeats what a list of bugs is filtered and sorted by.
import { sql } from 'kysely'
import type { Score } from '../../content/subject-row-queries.ts'
import { Problem } from '../../contract/problem.ts'
import { countChanged, recordsIn } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import { inTransaction } from '../../database/rows.ts'
import type { BugLabelTable, Db, Transaction } from '../../database/schema.ts'

type Pair = Pick<BugLabelTable, 'bugId' | 'labelId'>

/** Puts the label on the bug; false when it is there already. */
export async function insertBugLabel(db: Transaction, row: BugLabelTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('bugLabel')
    .values(row)
    .onConflict((conflict) => conflict.columns(['labelId', 'bugId']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function deleteBugLabel(db: Transaction, { bugId, labelId }: Pair): Promise<void> {
  const removed = await countChanged(
    db.deleteFrom('bugLabel').where('labelId', '=', labelId).where('bugId', '=', bugId),
  )
  if (removed === 0) throw new Problem('not_found', 'This label is not on this bug')
}

/** Follows the bug, on each of its labels. */
export const updateBugLabels = inTransaction.updateTable('bugLabel', 'bugId')

const addition = prepared(
  (db, given: Bind<{ scores: string }>) =>
    db
      .updateTable('bugLabel')
      .from(recordsIn<Score>(db, given('scores'), { id: 'text', score: 'integer' }))
      .set({ score: sql<number>`"bugLabel".score + given.score` })
      .whereRef('bugLabel.bugId', '=', 'given.id'),
  { pipelined: true },
)

export async function addToScores(db: Transaction, scores: readonly Score[]): Promise<void> {
  await addition(db, { scores: JSON.stringify(scores) })
}

/** A bug whose row is locked, whether it shows or not. */
export const findBug = inTransaction.selectFrom('bug', 'id')

export async function listLabelIds(db: Db, bugId: string): Promise<string[]> {
  const rows = await db.selectFrom('bugLabel').select('labelId').where('bugId', '=', bugId).execute()
  return rows.map(({ labelId }) => labelId)
}
