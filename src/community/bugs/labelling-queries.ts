// Which labels are on which bugs, as it is stored, and the bugs of a label in order. Each row repeats what a list of bugs is
// filtered and sorted by.
import { type Selectable, sql } from 'kysely'
import { selectIds } from '../../content/listing-queries.ts'
import { boundsOf, type Companion, isShown, shownBy } from '../../content/subject-queries.ts'
import type { Score } from '../../content/subject-row-queries.ts'
import { Problem } from '../../contract/problem.ts'
import { among, countChanged, recordsIn } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import { inTransaction } from '../../database/rows.ts'
import type { BugLabelTable, BugTable, Db, Transaction } from '../../database/schema.ts'
import type { Label } from '../labels/contract.ts'

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

/** What a label needs of its bug. */
const labelledColumns = [
  ...['id', 'authorId', 'viaClientId', 'status', 'severity', 'score', 'createdAt', 'hidden'],
] as const
export type LabelledBug = Pick<Selectable<BugTable>, (typeof labelledColumns)[number]>

/** A bug whose row is locked, whether it shows or not. */
export const findBug = inTransaction.selectFrom('bug', 'id', labelledColumns)

export async function listLabelIds(db: Db, bugId: string): Promise<string[]> {
  const rows = await db.selectFrom('bugLabel').select('labelId').where('bugId', '=', bugId).execute()
  return rows.map(({ labelId }) => labelId)
}

const labelsOn = prepared(
  (db, given: Bind<{ bugIds: string }>) =>
    db
      .selectFrom('bugLabel')
      .innerJoin('label', 'label.id', 'bugLabel.labelId')
      .select(['bugLabel.bugId', 'label.id', 'label.name', 'label.nameKey', 'label.color'])
      .where('bugLabel.bugId', ...among(db, given('bugIds'))),
  { cached: true },
)

/** Along the rows of a label, where nothing is searched for; a search looks among them. */
export const scanLabel: NonNullable<Companion['scan']> = (db, { labelId, ...filters }, { sort, ...page }) => {
  if (labelId === undefined) return undefined
  const { authorId, q, status, severity, people, agents } = filters
  const facts = { status, severity }
  if (q || people || agents) {
    const among = sql<string>`(select "bugId" from "bugLabel" where "labelId" = ${labelId})`
    return selectIds(
      db,
      {
        table: 'bug',
        ...boundsOf(['status', 'severity'], filters),
        where: shownBy('bug', filters),
        search: q ? { type: 'bug', q } : undefined,
        among,
        sort,
      },
      page,
    )
  }
  const rows =
    authorId === undefined
      ? { within: ['labelId', labelId] as const, having: facts }
      : { having: { labelId, authorId, ...facts } }
  return selectIds(db, { table: 'bugLabel', id: 'bugId', ...rows, where: isShown('bugLabel'), sort }, page)
}

/** The labels of the given bugs, each bug's by name; a bug without any is not in the map. */
export async function mapLabels(db: Db, bugIds: readonly string[]): Promise<Map<string, Label[]>> {
  if (bugIds.length === 0) return new Map()
  const { rows } = await labelsOn(db, { bugIds: JSON.stringify(bugIds) })
  const byName = rows.toSorted((a, b) => (a.nameKey < b.nameKey ? -1 : 1))
  const byBug = Map.groupBy(byName, ({ bugId }) => bugId)
  const withoutKeys = (labels: typeof rows) => labels.map(({ id, name, color }) => ({ id, name, color }))
  return new Map([...byBug].map(([bugId, labels]): [string, Label[]] => [bugId, withoutKeys(labels)]))
}
