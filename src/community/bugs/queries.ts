// How bugs are stored; the only file of the slice that knows SQL. The handle comes first, so that the caller chooses
// between the pool and a transaction it already holds; what needs a lock asks for Transaction in its type.
import type { ExpressionBuilder, ExpressionWrapper, SqlBool, Updateable } from 'kysely'
import type { z } from 'zod'
import { Problem } from '../../contract/problem.ts'
import { locking } from '../../database/engine.ts'
import { type Given, prepared } from '../../database/prepared.ts'
import type { BugTable, Database, Db, Transaction } from '../../database/schema.ts'
import { textContains } from '../../database/search.ts'
import { addToTally } from '../tally/tally.ts'
import type { Bug, bugs } from './contract.ts'

type ListInput = z.output<typeof bugs.list.input>

const noSuchBug = () => new Problem('not_found', 'No such bug')

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

export async function insertBug(db: Transaction, bug: Bug): Promise<void> {
  await db
    .insertInto('bug')
    .values({ ...bug, score: 0, commentCount: 0 })
    .execute()
  await addToTally(db, tallyKey(bug), 1)
}

const locked = prepared((db, given: Given<{ id: string }>) =>
  locking(
    db,
    db.selectFrom('bug').select(['id', 'authorId', 'score', 'status', 'severity']).where('id', '=', given('id')),
  ),
)

/** Locks a bug until the transaction ends. */
export async function lockBug(db: Transaction, id: string) {
  const { rows } = await locked(db, { id })
  if (!rows[0]) throw noSuchBug()
  return rows[0]
}

export async function updateBug(db: Transaction, id: string, changes: Updateable<BugTable>): Promise<void> {
  const before = await lockBug(db, id)
  await db.updateTable('bug').set(changes).where('id', '=', id).execute()
  const after = { status: changes.status ?? before.status, severity: changes.severity ?? before.severity }
  if (tallyKey(after) !== tallyKey(before)) {
    await addToTally(db, tallyKey(before), -1)
    await addToTally(db, tallyKey(after), 1)
  }
}

/** Removes the bug; what hangs on its labels goes with it by the schema. */
export async function deleteBug(db: Transaction, id: string): Promise<void> {
  const bug = await lockBug(db, id)
  await db.deleteFrom('bug').where('id', '=', id).execute()
  await addToTally(db, tallyKey(bug), -1)
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

export function listBugs(db: Db, filters: ListInput, { offset, limit }: { offset: number; limit: number }) {
  return entries(db)
    .where((bug) => matching(db, bug as BugBuilder, filters))
    .$if(filters.sort === 'popular', (query) => query.orderBy('bug.score', 'desc'))
    .orderBy('bug.createdAt', 'desc')
    .orderBy('bug.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** Status and severity are tallied, so that a list knows its total at any size; the other filters count what they find. */
export async function countBugs(db: Db, filters: ListInput): Promise<number> {
  const { status, severity, label, authorId, q } = filters
  if (label || authorId || q) {
    const { count } = await db
      .selectFrom('bug')
      .select((bug) => bug.fn.countAll<number>().as('count'))
      .where((bug) => matching(db, bug as BugBuilder, filters))
      .executeTakeFirstOrThrow()
    return count
  }
  const rows = await db
    .selectFrom('tally')
    .select(['key', 'count'])
    .where('key', '>=', 'bug/')
    .where('key', '<', 'bug0')
    .execute()
  return rows
    .filter(({ key }) => (!status || key.startsWith(`bug/${status}/`)) && (!severity || key.endsWith(`/${severity}`)))
    .reduce((total, { count }) => total + count, 0)
}

const tallyKey = ({ status, severity }: Pick<BugTable, 'status' | 'severity'>) => `bug/${status}/${severity}`

type BugBuilder = ExpressionBuilder<Database, 'bug'>

function matching(
  db: Db,
  bug: BugBuilder,
  { status, severity, label, authorId, q }: ListInput,
): ExpressionWrapper<Database, 'bug', SqlBool> {
  const conditions = []
  if (status) conditions.push(bug('bug.status', '=', status))
  if (severity) conditions.push(bug('bug.severity', '=', severity))
  if (authorId) conditions.push(bug('bug.authorId', '=', authorId))
  if (q) conditions.push(textContains(db, bug.ref('bug.id'), 'bug', q))
  if (label) {
    const labelled = db
      .selectFrom('bugLabel')
      .innerJoin('label', 'label.id', 'bugLabel.labelId')
      .select('bugLabel.bugId')
      .where((either) => either.or([either('label.id', '=', label), either('label.nameKey', '=', label.toLowerCase())]))
    conditions.push(bug('bug.id', 'in', labelled))
  }
  return bug.and(conditions)
}
