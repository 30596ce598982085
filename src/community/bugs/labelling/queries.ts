// Which labels are on which bugs, as it is stored.
import { Problem } from '../../../contract/problem.ts'
import type { BugLabelTable, Db, Transaction } from '../../../database/schema.ts'
import type { Label } from '../../labels/contract.ts'

/** Puts the label on the bug; one that is there already stays. */
export async function insertBugLabel(db: Transaction, row: BugLabelTable): Promise<void> {
  await db
    .insertInto('bugLabel')
    .values(row)
    .onConflict((conflict) => conflict.columns(['labelId', 'bugId']).doNothing())
    .execute()
}

export async function deleteBugLabel(db: Db, { bugId, labelId }: BugLabelTable): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('bugLabel')
    .where('labelId', '=', labelId)
    .where('bugId', '=', bugId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new Problem('not_found', 'This label is not on this bug')
}

/** Adds each bug's labels, by name. */
export async function withLabels<Item extends { id: string }>(
  db: Db,
  bugs: readonly Item[],
): Promise<(Item & { labels: Label[] })[]> {
  const rows =
    bugs.length === 0
      ? []
      : await db
          .selectFrom('bugLabel')
          .innerJoin('label', 'label.id', 'bugLabel.labelId')
          .select(['bugLabel.bugId', 'label.id', 'label.name', 'label.color'])
          .where(
            'bugLabel.bugId',
            'in',
            bugs.map(({ id }) => id),
          )
          .orderBy('label.nameKey')
          .execute()
  return bugs.map((bug) => ({
    ...bug,
    labels: rows.filter(({ bugId }) => bugId === bug.id).map(({ id, name, color }) => ({ id, name, color })),
  }))
}
