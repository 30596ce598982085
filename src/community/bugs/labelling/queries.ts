// Which labels are on which bugs, as it is stored. Each row repeats what a list of bugs is filtered and sorted by.
import type { Updateable } from 'kysely'
import { Problem } from '../../../contract/problem.ts'
import type { BugLabelTable, Db, Transaction } from '../../../database/schema.ts'
import type { Label } from '../../labels/contract.ts'

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
  const { numDeletedRows } = await db
    .deleteFrom('bugLabel')
    .where('labelId', '=', labelId)
    .where('bugId', '=', bugId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new Problem('not_found', 'This label is not on this bug')
}

/** Follows the bug, on each of its labels. */
export async function updateBugLabels(
  db: Transaction,
  bugId: string,
  changes: Updateable<Pick<BugLabelTable, 'status' | 'severity'>>,
): Promise<void> {
  await db.updateTable('bugLabel').set(changes).where('bugId', '=', bugId).execute()
}

export async function addToScores(db: Transaction, bugId: string, delta: number): Promise<void> {
  await db
    .updateTable('bugLabel')
    .set((row) => ({ score: row('score', '+', delta) }))
    .where('bugId', '=', bugId)
    .execute()
}

export async function listLabelIds(db: Db, bugId: string): Promise<string[]> {
  const rows = await db.selectFrom('bugLabel').select('labelId').where('bugId', '=', bugId).execute()
  return rows.map(({ labelId }) => labelId)
}

/** Adds each bug's labels, by name. */
export async function withLabels<Item extends { id: string }>(
  db: Db,
  bugs: readonly Item[],
): Promise<(Item & { labels: Label[] })[]> {
  const ids = bugs.map(({ id }) => id)
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('bugLabel')
          .innerJoin('label', 'label.id', 'bugLabel.labelId')
          .select(['bugLabel.bugId', 'label.id', 'label.name', 'label.color'])
          .where('bugLabel.bugId', 'in', ids)
          .orderBy('label.nameKey')
          .execute()
  const byBug = Map.groupBy(rows, ({ bugId }) => bugId)
  return bugs.map((bug) => ({
    ...bug,
    labels: byBug.get(bug.id)?.map(({ id, name, color }) => ({ id, name, color })) ?? [],
  }))
}
