// How bugs are stored; with the labels' own file the only one of the slice that knows SQL. The handle comes first, so that
// the caller chooses between the pool and a transaction it already holds; what needs a lock asks for Transaction.
import { sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import { countOf, decrement, increment, recount } from '../../content/counters.ts'
import { inOrder, type Page, type PageWindow, pageOf, selectIds } from '../../content/listing-queries.ts'
import type { Sort } from '../../contract/fields.ts'
import { Problem } from '../../contract/problem.ts'
import { locking } from '../../database/engine.ts'
import { type Given, prepared } from '../../database/prepared.ts'
import type { BugTable, Db, Transaction } from '../../database/schema.ts'
import { findLabelId } from '../labels/labels.ts'
import type { Bug, bugs } from './contract.ts'
import { listLabelIds, updateBugLabels } from './labelling-queries.ts'
import { counted, groupOf } from './rules.ts'

type ListInput = z.output<typeof bugs.list.input>
type Facets = Pick<BugTable, 'status' | 'severity'>

export const noSuchBug = () => new Problem('not_found', 'No such bug')

const recordColumns = [
  'id',
  'title',
  'description',
  'authorId',
  'status',
  'severity',
  'createdAt',
  'updatedAt',
] as const

const entries = (db: Db) =>
  db
    .selectFrom('bug')
    .leftJoin('user as author', 'author.id', 'bug.authorId')
    .select(recordColumns.map((column) => `bug.${column}` as const))
    .select(['author.username as authorUsername', 'bug.score', 'bug.commentCount'])

type Entry = Awaited<ReturnType<typeof getBug>>

export async function insertBug(db: Transaction, bug: Bug): Promise<void> {
  await db
    .insertInto('bug')
    .values({ ...bug, score: 0, commentCount: 0 })
    .execute()
  await increment(db, counted(bug, []))
}

const locked = prepared((db, given: Given<{ id: string }>) =>
  locking(
    db,
    db
      .selectFrom('bug')
      .select(['id', 'title', 'authorId', 'status', 'severity', 'score', 'commentCount', 'createdAt'])
      .where('id', '=', given('id')),
  ),
)

/** Locks a bug until the transaction ends, if there is one. */
export async function findLockedBug(db: Transaction, id: string) {
  const { rows } = await locked(db, { id })
  return rows[0]
}

/** Locks a bug until the transaction ends. */
export async function lockBug(db: Transaction, id: string) {
  const bug = await findLockedBug(db, id)
  if (!bug) throw noSuchBug()
  return bug
}

/** Changes a bug; gives what it was before. */
export async function updateBug(db: Transaction, id: string, changes: Updateable<BugTable>) {
  const before = await lockBug(db, id)
  const { authorId } = before
  const after = { authorId, status: changes.status ?? before.status, severity: changes.severity ?? before.severity }
  await db.updateTable('bug').set(changes).where('id', '=', id).execute()
  await updateBugLabels(db, id, { status: after.status, severity: after.severity })
  const labelIds = await listLabelIds(db, id)
  await recount(db, counted(before, labelIds), counted(after, labelIds))
  return before
}

/** Removes a bug that is locked; what hangs on its labels goes with it by the schema. */
export async function deleteBug(db: Transaction, bug: Pick<BugTable, 'id' | 'authorId'> & Facets): Promise<void> {
  const labelIds = await listLabelIds(db, bug.id)
  await db.deleteFrom('bug').where('id', '=', bug.id).execute()
  await decrement(db, counted(bug, labelIds))
}

const addition = prepared((db, given: Given<{ id: string; score: number; commentCount: number }>) =>
  db
    .updateTable('bug')
    .set((bug) => ({
      score: bug('score', '+', given('score')),
      commentCount: bug('commentCount', '+', given('commentCount')),
    }))
    .where('id', '=', given('id')),
)

export async function addToBug(
  db: Transaction,
  id: string,
  { score = 0, commentCount = 0 }: { score?: number; commentCount?: number },
): Promise<void> {
  await addition(db, { id, score, commentCount })
}

const entry = prepared((db, given: Given<{ id: string }>) => entries(db).where('bug.id', '=', given('id')))

export async function getBug(db: Db, id: string) {
  const { rows } = await entry(db, { id })
  if (!rows[0]) throw noSuchBug()
  return rows[0]
}

const commentCount = prepared((db, given: Given<{ id: string }>) =>
  db.selectFrom('bug').select('commentCount').where('id', '=', given('id')),
)

export async function countCommentsOf(db: Db, id: string): Promise<number> {
  const { rows } = await commentCount(db, { id })
  if (!rows[0]) throw noSuchBug()
  return rows[0].commentCount
}

export async function pageOfBugs(db: Db, { page, per_page, sort, label, ...wanted }: ListInput): Promise<Page<Entry>> {
  // No bug has the label that does not exist.
  const labelId = label === undefined ? undefined : ((await findLabelId(db, label)) ?? '')
  const filters = { ...wanted, labelId }
  const { q, status, severity } = filters
  return pageOf(
    db,
    { page, per_page, sort, q },
    {
      kind: 'bug',
      filters,
      count: () => countOf(db, 'bug', groupOf(filters), [status, severity]),
      scan: (on, places, pageWindow) => scan(on, places, { sort, ...pageWindow }),
      entries: (on, ids) => inOrder(entries(on).where('bug.id', 'in', ids), { of: 'bug', sort }),
    },
  )
}

type Filters = Pick<ListInput, 'status' | 'severity' | 'authorId' | 'q'> & { labelId: string | undefined }

/** The ids of the bugs that match, in order: along the rows of a label, else along the bugs. */
function scan(
  db: Db,
  { status, severity, labelId, authorId, q }: Filters,
  { sort, ...pageWindow }: PageWindow & { sort: Sort },
) {
  if (labelId !== undefined && !q) {
    const facts = { status, severity }
    const rows =
      authorId === undefined
        ? { within: ['labelId', labelId] as const, having: facts }
        : { having: { labelId, authorId, ...facts } }
    return selectIds(db, { table: 'bugLabel', id: 'bugId', ...rows, sort }, pageWindow)
  }
  const labelled = sql<string>`(select "bugId" from "bugLabel" where "labelId" = ${labelId})`
  const found = {
    search: q ? { type: 'bug', q } : undefined,
    among: labelId === undefined ? undefined : labelled,
  }
  return selectIds(db, { table: 'bug', ...rowsOf({ authorId, status, severity }), ...found, sort }, pageWindow)
}

/** By what the rows are told apart: the index of two facts begins with both. */
function rowsOf({ authorId, status, severity }: Pick<Filters, 'authorId' | 'status' | 'severity'>) {
  if (authorId !== undefined) return { within: ['authorId', authorId] as const, having: { status, severity } }
  if (status !== undefined && severity !== undefined) return { having: { status, severity } }
  return status === undefined ? { within: ['severity', severity] as const } : { within: ['status', status] as const }
}
