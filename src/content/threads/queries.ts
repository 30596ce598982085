// What is decided about things, as it is stored. Only what everybody sees of it is read here: an account that is erased is assigned to nothing.
import { sql } from 'kysely'
import { DELETED_USER } from '../../contract/no-account.ts'
import { among, countChanged } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import { inTransaction } from '../../database/rows.ts'
import type { Db, ThreadChangeTable, ThreadStateTable, Transaction } from '../../database/schema.ts'
import { newId } from '../../runtime/ids.ts'

const columns = ['id', 'pinnedAt', 'lockedAt', 'solutionId', 'dueOn'] as const
export type ThreadState = Pick<ThreadStateTable, (typeof columns)[number]>

// A solution shows while it is on the thing and everybody sees it.
const isSolved =
  sql<number>`case when comment.hidden = 0 and author."blockedAt" is null and comment."targetId" = state.id
  then 1 else 0 end`.as('isSolved')

const states = prepared(
  (db, given: Bind<{ ids: string }>) =>
    db
      .selectFrom('threadState as state')
      .leftJoin('comment', 'comment.id', 'state.solutionId')
      .leftJoin('user as author', 'author.id', 'comment.authorId')
      .leftJoin('assignment', 'assignment.thingId', 'state.id')
      .leftJoin('user as assignee', 'assignee.id', 'assignment.userId')
      .select(columns.map((name) => `state.${name}` as const))
      .select(['assignment.userId', 'assignee.username', isSolved])
      .where('state.id', ...among(db, given('ids')))
      .orderBy('assignment.createdAt')
      .orderBy('assignment.userId'),
  { cached: true },
)

/** What was decided about things: a row for each with an assignee, and one for each without. */
export async function listStates(db: Db, ids: readonly string[]) {
  const { rows } = await states(db, { ids: JSON.stringify(ids) })
  return rows.map(({ isSolved, solutionId, ...state }) => ({
    ...state,
    solutionId: Number(isSolved) === 1 ? solutionId : null,
  }))
}

const one = prepared((db, given: Bind<{ id: string }>) =>
  db.selectFrom('threadState').select(columns).where('id', '=', given('id')),
)

/** What was decided about a thing, hidden solutions too. */
export const findState = async (db: Db, id: string): Promise<ThreadState | undefined> => (await one(db, { id })).rows[0]

/** Changes what was decided about a thing that is locked. */
export async function putState(
  db: Transaction,
  { id, type, ...changes }: { id: string; type: string } & Partial<Omit<ThreadState, 'id'>>,
): Promise<void> {
  const none = { pinnedAt: null, lockedAt: null, solutionId: null, dueOn: null }
  await db
    .insertInto('threadState')
    .values({ id, type, ...none, ...changes })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ type, ...changes }))
    .execute()
}

/** How many things of a table are pinned in the board of one of them, hidden ones too. */
export async function countPinned(db: Db, { table, id }: { table: string; id: string }): Promise<number> {
  const { rows } = await sql<{ count: number | string }>`select count(*) as count from ${sql.table(table)} pinned
    join "threadState" state on state.id = pinned.id and state."pinnedAt" is not null
    join ${sql.table(table)} one on one.id = ${id} and coalesce(one."boardId", '') = coalesce(pinned."boardId", '')`.execute(
    db,
  )
  return Number(rows[0]?.count)
}

/** Whom a thing is assigned to, in the order in which that was done. */
export const listAssignees = (db: Db, thingId: string) =>
  db
    .selectFrom('assignment')
    .leftJoin('user', 'user.id', 'assignment.userId')
    .select(['assignment.userId as id', 'user.username'])
    .where('assignment.thingId', '=', thingId)
    .orderBy('assignment.createdAt')
    .orderBy('assignment.userId')
    .execute()

/** False where the account has the thing already. */
export async function insertAssignment(
  db: Transaction,
  row: { thingId: string; userId: string; createdAt: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('assignment')
    .values(row)
    .onConflict((conflict) => conflict.columns(['thingId', 'userId']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** False where the account does not have the thing. */
export async function deleteAssignment(db: Transaction, { thingId, userId }: { thingId: string; userId: string }) {
  const rows = db.deleteFrom('assignment').where('thingId', '=', thingId).where('userId', '=', userId)
  return (await countChanged(rows)) > 0
}

/** An account that things can be assigned to, by its id or its username. */
export async function findAssignable(db: Db, idOrName: string) {
  return db
    .selectFrom('user')
    .select(['id', 'username'])
    .where((user) => user.or([user('id', '=', idOrName), user('usernameKey', '=', idOrName.toLowerCase())]))
    .where('id', '!=', DELETED_USER)
    .where('blockedAt', 'is', null)
    .executeTakeFirst()
}

const insertChange = inTransaction.insertInto('threadChange')

type Change = Pick<ThreadChangeTable, 'targetType' | 'targetId' | 'actorId' | 'action' | 'createdAt' | 'viaClientId'>
const NOTHING_ELSE = { accountId: null, commentId: null, dueOn: null, labelId: null, fromId: null, reason: null }

/** Adds a line to the history of a thing. */
export const noteChange = (db: Transaction, change: Change & Partial<Omit<ThreadChangeTable, 'id'>>) =>
  insertChange(db, { id: newId(), ...NOTHING_ELSE, ...change })

interface Referring extends Pick<ThreadChangeTable, 'actorId' | 'createdAt' | 'viaClientId' | 'commentId'> {
  /** The thing that has the text, or the comment. */
  fromId: string
  numbers: readonly number[]
  /** The types of what has a history. */
  types: readonly string[]
}

/** Tells things that everybody sees that another one refers to them; once for each thing and comment. */
export async function noteReferences(db: Transaction, { numbers, types, fromId, ...said }: Referring): Promise<void> {
  const referred = await db
    .selectFrom('feedEntry')
    .select(['id', 'type'])
    .where('number', 'in', numbers)
    .where('type', 'in', types as never)
    .where('id', '!=', fromId)
    .execute()
  for (const { id: targetId, type: targetType } of referred)
    await noteChange(db, { ...said, targetType, targetId, fromId, action: 'referenced' })
}

/** Takes the pin off a thing that is merged into another one. What else was decided stays for when the merge is undone. */
export async function clearPin(db: Transaction, id: string): Promise<void> {
  await db
    .updateTable('threadState')
    .set({ pinnedAt: null })
    .where('id', '=', id)
    .where('pinnedAt', 'is not', null)
    .execute()
}

/** Forgets everything that was decided about things that are gone. */
export async function deleteThreads(db: Transaction, ids: readonly string[]): Promise<void> {
  const those = among(db, JSON.stringify(ids))
  await db
    .deleteFrom('threadState')
    .where('id', ...those)
    .execute()
  await db
    .deleteFrom('assignment')
    .where('thingId', ...those)
    .execute()
  await db
    .deleteFrom('threadChange')
    .where((change) => change.or([change('targetId', ...those), change('fromId', ...those)]))
    .execute()
  await db
    .deleteFrom('threadVisit')
    .where('thingId', ...those)
    .execute()
}

/** Takes some things off an account; gives how many. */
export async function deleteAssignmentsOf(db: Db, userId: string, limit: number): Promise<number> {
  const some = db
    .selectFrom('assignment')
    .select('thingId')
    .where('userId', '=', userId)
    .orderBy('thingId')
    .limit(limit)
  return countChanged(db.deleteFrom('assignment').where('userId', '=', userId).where('thingId', 'in', some))
}

interface Reassigned {
  from: string
  to: string
  limit: number
}

/** Gives some changes of an account to another one, with their reasons or without; gives how many. */
export async function updateChangeActors(
  db: Db,
  { from, to, limit, withReason }: Reassigned & { withReason: boolean },
): Promise<number> {
  const some = db.selectFrom('threadChange').select('id').where('actorId', '=', from).orderBy('id').limit(limit)
  const changes = { actorId: to, viaClientId: null, ...(!withReason && { reason: null }) }
  return countChanged(db.updateTable('threadChange').set(changes).where('id', 'in', some))
}

/** The same for the accounts that things were assigned to. */
export async function updateChangeAccounts(db: Db, { from, to, limit }: Reassigned): Promise<number> {
  const some = db.selectFrom('threadChange').select('id').where('accountId', '=', from).orderBy('id').limit(limit)
  return countChanged(db.updateTable('threadChange').set({ accountId: to }).where('id', 'in', some))
}

/** What an answer has of what was decided: nothing where nothing was. */
export interface ThreadFields {
  pinned?: true
  locked?: true
  solution?: string
  assignees?: { id: string; username: string | null }[]
  dueOn?: string
}

type StateRow = Awaited<ReturnType<typeof listStates>>[number]

const NOTHING: ThreadFields = {}

function fieldsOf(rows: readonly StateRow[] | undefined): ThreadFields {
  const [state] = rows ?? []
  if (!rows || !state) return NOTHING
  const { pinnedAt, lockedAt, solutionId, dueOn } = state
  const assignees = rows.flatMap(({ userId: id, username }) => (id === null ? [] : [{ id, username }]))
  return {
    ...(pinnedAt !== null && { pinned: true as const }),
    ...(lockedAt !== null && { locked: true as const }),
    ...(solutionId !== null && { solution: solutionId }),
    ...(assignees.length > 0 && { assignees }),
    ...(dueOn !== null && { dueOn }),
  }
}

/** What answers have of what was decided about things. */
export async function threadsOf(
  db: Db,
  things: readonly { id: string }[],
): Promise<(thing: { id: string }) => ThreadFields> {
  if (things.length === 0) return () => NOTHING
  const rows = Map.groupBy(
    await listStates(
      db,
      things.map(({ id }) => id),
    ),
    ({ id }) => id,
  )
  return ({ id }) => fieldsOf(rows.get(id))
}
