// Handlers of what is decided about things. Each locks the thing, changes what is stored of it, and tells it to its history, to the audit log
// and to the accounts that it concerns, in one transaction. What is as it was asked for stays, and no one is notified.
import { record } from '../../audit/audit.ts'
import type { AuditAction } from '../../contract/audit.ts'
import type { ThreadCapability } from '../../contract/capabilities.ts'
import type { Via } from '../../contract/fields.ts'
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import { pageOfRows } from '../../database/cursor.ts'
import { lockName } from '../../database/engine.ts'
import type { ThreadChangeTable, Transaction } from '../../database/schema.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { closedBoardsOf } from '../board-access/reading.ts'
import { findComment } from '../comment-rows/queries.ts'
import { shows } from '../hiding/rules.ts'
import { forwarded } from '../merged/queries.ts'
import { followBecause } from '../notifications/events.ts'
import { findSeenType } from '../notifications/seen-types.ts'
import { recordAssigned, recordSolved } from '../notifications/thread-events.ts'
import { isOneOf, type OwnedThing } from '../subject.ts'
import type { ThreadKind } from '../things.ts'
import { withVia, writtenBy } from '../via.ts'
import { MAX_ASSIGNEES, MAX_PINNED, threadActions, type threads } from './contract.ts'
import * as queries from './queries.ts'
import { countTimeline, listTimeline, type TimelineRow } from './timeline-queries.ts'
import { listVisitHandlersOf, visitHandlersOf } from './visiting.ts'
import { countWork, listHeads, listWork, type WorkKind } from './work-queries.ts'

// What is read of what is decided: the changes of a thing, and the work of an account.

/** What can be assigned, with the statuses in which there is something to do: those that closing ends. */
const workOf = (kinds: readonly ThreadKind[]): WorkKind[] =>
  kinds.flatMap(({ type, subject: { table, thread = [], closing } }) =>
    thread.includes('assign') && closing ? [{ type, table, open: closing.from }] : [],
  )

/** A line as its readers get it: each of its parts is null where there is none. */
function asChange(line: Omit<TimelineRow, 'viaClientId'> & { via: Via }) {
  const { accountId, accountUsername, labelId, labelName, labelColor, ...of } = line
  const { thingNumber, thingTitle, thingUrl, ...change } = of
  return {
    ...change,
    account: accountId === null ? null : { id: accountId, username: accountUsername },
    label: labelId === null ? null : { id: labelId, name: String(labelName), color: String(labelColor) },
    thing:
      thingTitle === null
        ? null
        : { number: thingNumber === null ? null : Number(thingNumber), title: thingTitle, url: thingUrl },
  }
}

function readHandlersOf(kinds: readonly ThreadKind[]): Pick<Handlers<typeof threads>, 'changes' | 'myWork'> {
  const types = new Set(kinds.map(({ type }) => type))
  const work = workOf(kinds)
  return {
    changes: (context, { id: named, ...input }) =>
      forwarded(context.db, named, async (id) => {
        const type = (await findSeenType(context.db, id)) ?? ''
        const off = partsOff(context.config).kinds
        if (!types.has(type) || off.has(type)) throw new Problem('not_found', 'No such thing')
        const of = { targetId: id, off: JSON.stringify([...off]) }
        const list = { list: ['timeline', id], by: { createdAt: '', id: '' } }
        const { items: rows, ...page } = await pageOfRows(input, list, (range) => listTimeline(context.db, of, range))
        const items = (await withVia(context, rows)).map(asChange)
        return { ...page, items, total: await countTimeline(context.db, of) }
      }),

    async myWork({ db, caller, config }, request) {
      const off = partsOff(config)
      const boards = await closedBoardsOf({ db, config }, caller)
      const of = { kinds: work.filter(({ type }) => !off.kinds.has(type)), userId: caller.id, boards }
      if (of.kinds.length === 0) return { items: [], hasMore: false, total: 0 }
      const list = { list: ['my-work', caller.id], by: { due: '', id: '' } }
      const { items: rows, ...page } = await pageOfRows(request, list, (range) => listWork(db, of, range))
      const heads = new Map(
        (
          await listHeads(
            db,
            rows.map(({ id }) => id),
            boards,
          )
        ).map((head) => [head.id, head]),
      )
      const items = rows.flatMap(({ due: _, ...row }) => {
        const head = heads.get(row.id)
        return head ? [{ ...row, ...head, number: Number(head.number) }] : []
      })
      return { ...page, items, total: await countWork(db, of) }
    },
  }
}

const noSuchThing = () => new Problem('not_found', 'There is no such thing of which this can be decided')

interface LockedThing {
  kind: ThreadKind
  row: OwnedThing & { id: string }
  state: queries.ThreadState | undefined
}

interface Deciding {
  capability: ThreadCapability
  id: string
}

type Decide = <Answer>(
  context: Context<Caller>,
  of: Deciding,
  act: (db: Transaction, thing: LockedThing) => Promise<Answer>,
) => Promise<Answer>

/** Runs an act on a thing that is locked and that the call sees. A merged thing leads to its target. */
function decidingOn(kinds: readonly ThreadKind[]): Decide {
  const byType = new Map(kinds.map((kind) => [kind.type, kind]))
  return ({ db, config }, { capability, id: named }, act) =>
    forwarded(db, named, (id) =>
      db.transaction().execute(async (transaction) => {
        const kind = byType.get((await findSeenType(transaction, id)) ?? '')
        const isOff = kind && partsOff(config).kinds.has(kind.type)
        if (isOff || !kind?.subject.thread?.includes(capability)) throw noSuchThing()
        const row = await kind.lock(transaction, id)
        return act(transaction, { kind, row, state: await queries.findState(transaction, id) })
      }),
    )
}

type Change = Pick<ThreadChangeTable, 'action' | 'reason'> &
  Partial<Pick<ThreadChangeTable, 'accountId' | 'commentId' | 'dueOn'>>

/** Tells a change to the history of the thing, and to the audit log unless its author made it as such. */
async function tell(
  { caller, now, address }: Context<Caller>,
  db: Transaction,
  { thing, change, audit }: { thing: LockedThing; change: Change; audit: AuditAction | undefined },
): Promise<void> {
  const { type: targetType } = thing.kind
  const { id: targetId, authorId } = thing.row
  const { reason, ...what } = change
  const row = { targetType, targetId, actorId: caller.id, createdAt: now, ...change }
  await queries.noteChange(db, { ...row, ...writtenBy(caller) })
  if (!audit) return
  const act = { action: audit, actorId: caller.id, targetType, targetId, address }
  await record(db, now, { ...act, detail: { authorId, ...what }, reason })
}

const eventOf = ({ caller, now }: Context<Caller>, { kind, row }: LockedThing) => ({
  by: caller.id,
  now,
  on: { type: kind.type, id: row.id },
})

type ThreadHandlers = Handlers<typeof threads>

const pinning = (decide: Decide): Pick<ThreadHandlers, 'pin' | 'lock'> => ({
  pin: (context, { id, pinned, reason }) =>
    decide(context, { capability: 'pin', id }, async (db, thing) => {
      const { kind, row, state } = thing
      const { type } = kind
      const answer = { id: row.id, pinned }
      if (((state?.pinnedAt ?? null) !== null) === pinned) return answer
      if (pinned) {
        await lockName(db, `pinned ${type}`)
        if ((await queries.countPinned(db, { table: kind.subject.table, id: row.id })) >= MAX_PINNED)
          throw new Problem('conflict', `At most ${MAX_PINNED} are pinned; take the pin off another one first`)
      }
      await queries.putState(db, { id: row.id, type, pinnedAt: pinned ? context.now : null })
      const change = { action: pinned ? 'pinned' : 'unpinned', reason } as const
      await tell(context, db, { thing, change, audit: threadActions.pin })
      return answer
    }),

  lock: (context, { id, locked, reason }) =>
    decide(context, { capability: 'lock', id }, async (db, thing) => {
      const { kind, row, state } = thing
      const answer = { id: row.id, locked }
      if (((state?.lockedAt ?? null) !== null) === locked) return answer
      await queries.putState(db, { id: row.id, type: kind.type, lockedAt: locked ? context.now : null })
      const change = { action: locked ? 'locked' : 'unlocked', reason } as const
      await tell(context, db, { thing, change, audit: threadActions.lock })
      return answer
    }),
})

/** A comment that everybody sees on this thing. */
async function getComment(db: Transaction, { kind, row }: LockedThing, id: string) {
  const comment = await findComment(db, id)
  if (!comment || !shows(comment) || comment.targetType !== kind.type || comment.targetId !== row.id)
    throw new Problem('not_found', 'No such comment here')
  return comment
}

const solving = (decide: Decide): Pick<ThreadHandlers, 'solve'> => ({
  solve: (context, { id, commentId, reason }) =>
    decide(context, { capability: 'solve', id }, async (db, thing) => {
      const { kind, row, state } = thing
      const { caller, budget } = context
      if (!isOneOf(kind.subject.permissions['edit'] ?? [], caller, row)) throw new Problem('forbidden', 'Forbidden')
      await budget.spend(db)
      const before = state?.solutionId ?? null
      const comment = commentId === null ? undefined : await getComment(db, thing, commentId)
      const answer = { id: row.id, solution: commentId }
      if (before === commentId) return answer
      await queries.putState(db, { id: row.id, type: kind.type, solutionId: commentId })
      const change = { action: comment ? 'solved' : 'unsolved', commentId: commentId ?? before, reason } as const
      const audit = caller.id === row.authorId ? undefined : threadActions.solve
      await tell(context, db, { thing, change, audit })
      if (comment) await recordSolved(db, eventOf(context, thing), { commentId: comment.id, to: comment.authorId })
      return answer
    }),
})

const assigning = (decide: Decide): Pick<ThreadHandlers, 'assign' | 'unassign' | 'setDue'> => ({
  assign: (context, { id, account, reason }) =>
    decide(context, { capability: 'assign', id }, async (db, thing) => {
      const { kind, row } = thing
      const found = await queries.findAssignable(db, account)
      if (!found) throw new Problem('not_found', 'No such member')
      const assignees = await queries.listAssignees(db, row.id)
      if (assignees.some(({ id: one }) => one === found.id)) return { id: row.id, assignees }
      if (assignees.length >= MAX_ASSIGNEES)
        throw new Problem('conflict', `At most ${MAX_ASSIGNEES} members have it; take it off another one first`)
      // The row leads from the thing to its assignees.
      await queries.putState(db, { id: row.id, type: kind.type })
      await queries.insertAssignment(db, { thingId: row.id, userId: found.id, createdAt: context.now })
      const change = { action: 'assigned', accountId: found.id, reason } as const
      await tell(context, db, { thing, change, audit: threadActions.assign })
      const act = eventOf(context, thing)
      await followBecause(db, 'followAnswered', { ...act, by: found.id })
      await recordAssigned(db, act, { to: found.id, reason })
      return { id: row.id, assignees: await queries.listAssignees(db, row.id) }
    }),

  unassign: (context, { id, accountId, reason }) =>
    decide(context, { capability: 'assign', id }, async (db, thing) => {
      const { row } = thing
      if (!(await queries.deleteAssignment(db, { thingId: row.id, userId: accountId })))
        throw new Problem('not_found', 'It is not assigned to this account')
      const change = { action: 'unassigned', accountId, reason } as const
      await tell(context, db, { thing, change, audit: threadActions.unassign })
      return { id: row.id, assignees: await queries.listAssignees(db, row.id) }
    }),

  setDue: (context, { id, dueOn, reason }) =>
    decide(context, { capability: 'assign', id }, async (db, thing) => {
      const { kind, row, state } = thing
      const answer = { id: row.id, dueOn }
      if ((state?.dueOn ?? null) === dueOn) return answer
      await queries.putState(db, { id: row.id, type: kind.type, dueOn })
      await tell(context, db, { thing, change: { action: 'due', dueOn, reason }, audit: threadActions.due })
      return answer
    }),
})

/** `kinds` are all about which something can be decided. */
export function handlersOfThreads(kinds: readonly ThreadKind[]): ThreadHandlers {
  const decide = decidingOn(kinds)
  return {
    ...pinning(decide),
    ...solving(decide),
    ...assigning(decide),
    ...readHandlersOf(kinds),
    ...visitHandlersOf(kinds),
    ...listVisitHandlersOf(kinds),
  }
}
