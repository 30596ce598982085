// Cases and reports as they are stored.
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { reportable } from '../../contract/kinds.ts'
import { DELETED_USER } from '../../contract/no-account.ts'
import type { PartsOff } from '../../contract/parts.ts'
import { boardsWithinReach } from '../../contract/standing.ts'
import { caseStates } from '../../contract/states.ts'
import type { Range } from '../../database/cursor.ts'
import { countChanged, isAmong, locking } from '../../database/engine.ts'
import { isOfPartOn } from '../../database/parts-on.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Database, Db, ModerationCaseTable, ReportTable, Transaction } from '../../database/schema.ts'
import { mayStep } from '../../database/states.ts'
import { after } from '../../runtime/clock.ts'
import { boarded } from '../board-access/contract.ts'
import { hiddenBy } from '../hiding/rules.ts'

// Cases on what is in some boards: on things there, and on what members said of them.

type Cases = 'one' | 'moderationCase'

/** Whether a case is on something in these boards. */
export const isOnBoards = (db: Db, cases: Cases, boards: readonly string[]): RawBuilder<boolean> =>
  isPlaced(cases, isAmong(db, 'placed.boardId', JSON.stringify(boards)))

/** Whether a case is on something in the board of a list's filters: what is in the first one names none. */
export const isOnBoard = (
  cases: Cases,
  { openBoard, closedBoard }: Readonly<Record<string, string | undefined>>,
): RawBuilder<boolean> => {
  const id = openBoard ?? closedBoard
  return isPlaced(
    cases,
    id === undefined ? sql<boolean>`placed."boardId" is null` : sql<boolean>`placed."boardId" = ${id}`,
  )
}

function isPlaced(cases: Cases, inside: RawBuilder<boolean>): RawBuilder<boolean> {
  const target = sql.ref(`${cases}.targetId`)
  const each = boarded.map(
    (table) => sql`exists (select 1 from ${sql.table(table)} placed
      where placed.id in (${target}, (select said."targetId" from comment said where said.id = ${target})) and ${inside})`,
  )
  return sql<boolean>`(${sql.join(each, sql` or `)})`
}

// The agent through which it came what a case is about: it is stored with the case, so it is known when the thing is gone.

type TargetType = (typeof reportable)[number]

/** Where things of a type carry who wrote them; a team and an account carry none. */
const tables: Readonly<Partial<Record<TargetType, keyof Database>>> = {
  bug: 'bug',
  feature: 'feature',
  post: 'post',
  release: 'release',
  org: 'orgUpload',
  run: 'orgRun',
  item: 'libraryItem',
  comment: 'comment',
}

/** The agent that wrote a thing, as it is stored there; null for a person. */
function writerOf({ targetType, targetId }: { targetType: string; targetId: string }): RawBuilder<string | null> {
  const table = tables[targetType as TargetType]
  if (!table) return sql`null`
  return sql`(select "viaClientId" from ${sql.table(table)} where id = ${targetId})`
}

export type CaseRow = Selectable<ModerationCaseTable>
type WaitingCounts = Pick<CaseRow, 'reportCount' | 'held' | 'appealCount'>
type MachineVerdict = Pick<CaseRow, 'machineVerdict' | 'machineReason' | 'machinePercent'>

type OpenedCase = Pick<ModerationCaseTable, 'id' | 'targetType' | 'targetId' | 'authorId' | 'createdAt'>

const rowOf = (
  opened: OpenedCase,
  { reportCount = 0, held = 0, appealCount = 0, ...machine }: Partial<WaitingCounts & MachineVerdict>,
) => ({
  ...{ ...opened, state: 'open' as const, closedAt: null, reportCount, held, appealCount, ...machine },
  viaClientId: writerOf(opened),
})

export async function insertCase(db: Transaction, opened: OpenedCase, waiting: Partial<WaitingCounts>): Promise<void> {
  await db.insertInto('moderationCase').values(rowOf(opened, waiting)).execute()
}

/** Opens a case on a thing, or adds to the open one. Gives its id. */
export async function upsertCase(
  db: Transaction,
  opened: OpenedCase,
  waiting: Partial<WaitingCounts & MachineVerdict>,
): Promise<string> {
  const { reportCount = 0, held = 0, appealCount = 0, ...machine } = waiting
  const row = rowOf(opened, waiting)
  const { id } = await db
    .insertInto('moderationCase')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('targetId')
        .where('state', '=', sql.lit('open'))
        .doUpdateSet((stored) => ({
          reportCount: stored('moderationCase.reportCount', '+', reportCount),
          appealCount: stored('moderationCase.appealCount', '+', appealCount),
          ...(held && { held }),
          ...machine,
        })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const columns = [
  ...['id', 'targetType', 'targetId', 'authorId', 'state', 'reportCount', 'held', 'appealCount'],
  ...['createdAt', 'closedAt', 'machineVerdict', 'machineReason', 'machinePercent', 'viaClientId'],
] as const

const byId = (db: Db, id: string) => db.selectFrom('moderationCase').select(columns).where('id', '=', id)
export const findCase = (db: Db, id: string) => byId(db, id).executeTakeFirst()
export const lockCase = (db: Transaction, id: string) => locking(db, byId(db, id)).executeTakeFirst()

/** The open case on a thing, locked. */
export const lockOpenCase = (db: Transaction, targetId: string) =>
  locking(
    db,
    db
      .selectFrom('moderationCase')
      .select(columns)
      .where('targetId', '=', targetId)
      .where('state', '=', sql.lit('open')),
  ).executeTakeFirst()

/** Changes what waits in an open case; with `closedAt` nothing does, and it closes. */
export async function updateCase(
  db: Transaction,
  id: string,
  changes: Partial<WaitingCounts & Pick<ModerationCaseTable, 'closedAt'>>,
): Promise<void> {
  const open = db
    .updateTable('moderationCase')
    .where('id', '=', id)
    .where(mayStep(caseStates, { to: 'closed' }))
  await open.set({ ...changes, ...(changes.closedAt && { state: 'closed' }) }).execute()
}

/** False when the account has an open report of the thing. */
export async function insertReport(db: Transaction, report: ReportTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('report')
    .values(report)
    .onConflict((conflict) => conflict.columns(['targetId', 'reporterId']).where('closed', '=', sql.lit(0)).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function closeReports(db: Transaction, caseId: string): Promise<void> {
  await db.updateTable('report').set({ closed: 1 }).where('caseId', '=', caseId).where('closed', '=', 0).execute()
}

/** Reports of a case, oldest first. */
export const listReports = (
  db: Db,
  caseId: string,
  { limit, offset = 0, after }: Omit<Range, 'offset'> & { offset?: number },
) =>
  db
    .selectFrom('report')
    .leftJoin('user as reporter', 'reporter.id', 'report.reporterId')
    .select(['report.id', 'report.reason', 'report.text', 'report.createdAt', 'reporter.username as reporterUsername'])
    .where('report.caseId', '=', caseId)
    .$if(after !== undefined, (reports) => reports.where('report.id', '>', String(after?.[0])))
    .orderBy('report.id')
    .limit(limit)
    .offset(offset)
    .execute()

/** Cases on things of parts that are on, and on what members said there; undefined where every part is on. */
export function isCaseOn(off: PartsOff, cases: 'one' | 'moderationCase') {
  const isThing = isOfPartOn(off, { type: `${cases}.targetType`, id: `${cases}.targetId` })
  const isAbove = isOfPartOn(off, { type: 'said.targetType', id: 'said.targetId' })
  if (!isThing || !isAbove) return undefined
  const target = sql.ref(`${cases}.targetId`)
  return sql<boolean>`(${isThing} and not exists (select 1 from comment said where said.id = ${target} and not ${isAbove}))`
}

const waiting = prepared((db, given: Bind<{ limit: number }>) =>
  db.selectFrom('moderationCase').select('id').where('state', '=', sql.lit('open')).limit(given('limit')),
)

/** How many cases are open, at most `limit`; for moderators of boards on what is in these. */
export async function countOpen(db: Db, { limit, off }: { limit: number; off: PartsOff }): Promise<number> {
  const on = isCaseOn(off, 'moderationCase')
  const boards = boardsWithinReach()
  if (!on && !boards) return (await waiting(db, { limit })).rows.length
  const open = db.selectFrom('moderationCase').select('id').where('state', '=', sql.lit('open'))
  const all = [on, boards && isOnBoards(db, 'moderationCase', boards)].filter((one) => one !== undefined)
  return (
    await open
      .where((e) => e.and(all))
      .limit(limit)
      .execute()
  ).length
}

/** Whether a case is on a thing of a part that is off. */
export async function isCaseOff(db: Db, id: string, off: PartsOff): Promise<boolean> {
  const on = isCaseOn(off, 'moderationCase')
  if (!on) return false
  return (await db.selectFrom('moderationCase').select('id').where('id', '=', id).where(on).execute()).length === 0
}

/** What moderators see of an account; undefined when it is deleted. */
export const findAccount = (db: Db, id: string) =>
  db
    .selectFrom('user')
    .select(['id', 'email', 'username', 'name', 'createdAt', 'emailVerifiedAt', 'blockedAt'])
    .where('id', '=', id)
    .executeTakeFirst()

/** What a member says of themselves. */
export const findProfile = (db: Db, userId: string) =>
  db
    .selectFrom('profile')
    .select(['tagline', 'jobTitle', 'company', 'tags', 'githubUrl', 'twitterUrl', 'linkedinUrl', 'websiteUrl'])
    .where('userId', '=', userId)
    .executeTakeFirst()

/** The removal of everything of an account, if there was one that is not undone. */
export const findRemoval = (db: Db, userId: string) =>
  db
    .selectFrom('accountSweep')
    .select(['done', 'total', 'startedAt', 'doneAt'])
    .where('userId', '=', userId)
    .where('bit', '=', hiddenBy.massRemoval)
    .where('isOn', '<>', 0)
    .executeTakeFirst()

/** Forgets who wrote some reports, and what was said in them. Gives how many there were. */
export async function forgetReporter(db: Db, reporterId: string, limit: number): Promise<number> {
  const some = db.selectFrom('report').select('id').where('reporterId', '=', reporterId).limit(limit)
  // Without a name the id tells two reporters apart.
  const reports = db.updateTable('report').set((report) => ({ reporterId: report.ref('id'), text: null }))
  return countChanged(reports.where('id', 'in', some))
}

/** Gives another author to some cases. Gives how many there were. */
export async function forgetAuthor(
  db: Db,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<number> {
  const some = db.selectFrom('moderationCase').select('id').where('authorId', '=', from).limit(limit)
  const cases = db.updateTable('moderationCase').set({ authorId: to, machineReason: null }).where('id', 'in', some)
  return countChanged(cases)
}

/** So long what was reported is kept after the decision, or after the erasure of its author. */
export const EVIDENCE_DAYS = 30

/** A case on a thing is open again: what is kept of it stays. */
export async function holdEvidence(db: Transaction, targetId: string): Promise<void> {
  const kept = db.updateTable('evidence').where('targetId', '=', targetId).where('waiting', '=', 0)
  await kept.set({ waiting: 1, deleteAt: null }).execute()
}

/** The case on a thing is decided: what is kept goes when nothing can be undone any more, and of an erased account now. */
export async function releaseEvidence(db: Transaction, targetId: string, now: string): Promise<void> {
  const kept = db.updateTable('evidence').where('targetId', '=', targetId)
  await kept.set({ waiting: 0, deleteAt: after(now, EVIDENCE_DAYS * 86_400) }).execute()
  await db.deleteFrom('evidence').where('targetId', '=', targetId).where('authorId', '=', DELETED_USER).execute()
}
