// How bugs are stored; with the labels' own file the only one of the slice that knows SQL. The handle comes first, so that
// the caller chooses between the pool and a transaction it already holds; what needs a lock asks for Transaction.
import type { SelectQueryBuilder, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { z } from 'zod'
import { Problem } from '../../contract/problem.ts'
import { locking } from '../../database/engine.ts'
import type { BugTable, Database, Db, Transaction } from '../../database/schema.ts'
import { newestMatches } from '../../database/search.ts'
import { findLabelId } from '../labels/labels.ts'
import { type Ids, inOrder, type Page, pageOf } from '../listing/listing.ts'
import { countIn, countOf, countOut, recount } from '../tally/tally.ts'
import type { Bug, bugs } from './contract.ts'
import { listLabelIds, updateBugLabels } from './labelling/queries.ts'
import { counted } from './rules.ts'

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
  await countIn(db, counted(bug, []))
}

const locked = (db: Transaction, id: string) =>
  locking(
    db,
    db
      .selectFrom('bug')
      .select(['id', 'title', 'authorId', 'status', 'severity', 'score', 'commentCount', 'createdAt'])
      .where('id', '=', id),
  )

/** Locks a bug until the transaction ends. */
export const lockBug = (db: Transaction, id: string) => locked(db, id).executeTakeFirstOrThrow(noSuchBug)
/** The same, for a caller that need not be told whether there is one. */
export const findLockedBug = (db: Transaction, id: string) => locked(db, id).executeTakeFirst()

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
  await countOut(db, counted(bug, labelIds))
}

export async function addToBug(
  db: Transaction,
  id: string,
  column: 'score' | 'commentCount',
  delta: number,
): Promise<void> {
  await db
    .updateTable('bug')
    .set((bug) => ({ [column]: bug(column, '+', delta) }))
    .where('id', '=', id)
    .execute()
}

export function getBug(db: Db, id: string) {
  return entries(db).where('bug.id', '=', id).executeTakeFirstOrThrow(noSuchBug)
}

export async function countCommentsOf(db: Db, id: string): Promise<number> {
  const { commentCount } = await db
    .selectFrom('bug')
    .select('commentCount')
    .where('id', '=', id)
    .executeTakeFirstOrThrow(noSuchBug)
  return commentCount
}

export async function pageOfBugs(db: Db, { label, ...filters }: ListInput): Promise<Page<Entry>> {
  const labelId = label && ((await findLabelId(db, label)) ?? '')
  return pageOf(filters, {
    count: () => countBugs(db, filters, labelId),
    walk: (backwards) => walk(db, filters, labelId, backwards),
    entries: (ids: Ids) => inOrder(entries(db).where('bug.id', 'in', ids), { of: 'bug', sort: filters.sort }).execute(),
  })
}

type Filters = Omit<ListInput, 'label'>

/** An author's bugs with a label are counted by looking at them; every other total is tallied. */
async function countBugs(db: Db, filters: Filters, labelId: string | undefined): Promise<number> {
  const { status, severity, authorId } = filters
  if (labelId !== undefined && authorId !== undefined) return (await walk(db, filters, labelId, false).execute()).length
  const group = labelId !== undefined ? `label/${labelId}` : authorId !== undefined ? `by/${authorId}` : 'all'
  return countOf(db, 'bug', group, [status, severity])
}

/** The ids of the bugs that match, in order: along the labels of a label, else along the bugs. */
function walk(
  db: Db,
  { sort, status, severity, authorId, q }: Filters,
  labelId: string | undefined,
  backwards: boolean,
) {
  if (labelId !== undefined && authorId === undefined && !q) {
    const labelled = db.selectFrom('bugLabel').select('bugId as id').where('labelId', '=', labelId)
    const matching = withFacets(labelled, { status, severity })
    return inOrder(matching, { of: 'bugLabel', id: 'bugId', sort, backwards })
  }
  let matching = withFacets(db.selectFrom('bug').select('bug.id'), { status, severity })
  if (authorId !== undefined) matching = matching.where('bug.authorId', '=', authorId)
  if (q) matching = matching.where('bug.id', 'in', newestMatches(db, 'bug', q))
  if (labelId !== undefined) {
    const labelled = db.selectFrom('bugLabel').select('bugId').where('labelId', '=', labelId)
    matching = matching.where('bug.id', 'in', labelled)
  }
  return inOrder(matching, { of: 'bug', sort, backwards })
}

function withFacets<Tables extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Tables, Row>,
  facets: { [Name in keyof Facets]: Facets[Name] | undefined },
): SelectQueryBuilder<Database, Tables, Row> {
  return Object.entries(facets)
    .filter(([, value]) => value !== undefined)
    .reduce((matching, [name, value]) => matching.where(sql.ref(name), '=', value), query)
}
