// The history of texts and statuses: written in the transaction of the change, and read a page at a time.

import { Problem } from '../../contract/problem.ts'
import type { PageRequest } from '../../database/cursor.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { pageOf } from '../list-pages.ts'
import * as queries from '../rows/revision-queries.ts'
import { withVia, writtenBy } from '../via.ts'

interface RevisionTarget {
  targetType: string
  targetId: string
  thingId: string
}

type Texts = Readonly<Record<string, string | undefined>>
type Changes = Readonly<Record<string, readonly [before: string, after: string]>>

/** The fields that are given and differ from what there is; undefined when none does. */
export function changesOf(before: object, given: Texts): Changes | undefined {
  const changed = Object.entries(given).flatMap(([field, after]) => {
    const now: unknown = Reflect.get(before, field)
    return after === undefined || after === now ? [] : [[field, [String(now), after]] as const]
  })
  return changed.length > 0 ? Object.fromEntries(changed) : undefined
}

/** How often a thing was edited, and how often its status changed: columns that its record does not have. */
export const historyOf = (row: object) => ({
  revisionCount: Number(Reflect.get(row, 'revisionCount') ?? 0),
  statusChangeCount: Number(Reflect.get(row, 'statusChangeCount') ?? 0),
})

/** What fields say after a change. */
export const textsAfter = (changes: Changes): Record<string, string> =>
  Object.fromEntries(Object.entries(changes).map(([field, [, after]]) => [field, after]))

/** Refuses a change of a text that was edited since its author saw it: it would overwrite that edit unnoticed. */
export function assertSeen({ editedAt }: { editedAt: string | null }, seen: string | null | undefined): void {
  if (seen === undefined || seen === editedAt) return
  throw new Problem('conflict', 'This text was edited since. Read it again, and send your change with its editedAt')
}

/**
 * The moment of a change that is later than the one before: requests take their time before they wait for a lock, and a history is in the
 * order of its changes.
 */
export function momentAfter(before: { editedAt: string | null; updatedAt?: string }, now: string): string {
  const last = before.updatedAt ?? before.editedAt ?? ''
  return last >= now ? new Date(Date.parse(last) + 1).toISOString() : now
}

/** An account, and how it came in where that is a caller. */
export type Writer = Pick<Caller, 'id'> & Partial<Pick<Caller, 'via'>>
type WriteContext = Pick<Context<Writer>, 'caller' | 'now'>

export async function recordRevision(
  db: Transaction,
  { caller, now }: WriteContext,
  on: RevisionTarget & { changes: Changes },
) {
  const { changes, ...target } = on
  const revision = { id: newId(), ...target, editorId: caller.id, changes: JSON.stringify(changes), createdAt: now }
  await queries.insertRevision(db, { ...revision, ...writtenBy(caller) })
}

interface StatusChange {
  targetType: string
  targetId: string
  from: string
  to: string
  reason: string | null
}

export async function recordStatusChange(
  db: Transaction,
  { caller, now }: WriteContext,
  change: StatusChange,
): Promise<void> {
  await queries.insertStatusChange(db, {
    ...{ id: newId(), ...change, actorId: caller.id, createdAt: now },
    ...writtenBy(caller),
  })
}

type ReadContext = Pick<Context, 'db' | 'config'>

interface HistoryParams extends PageRequest {
  targetId: string
  /** How many there are. */
  total: number
}

/** A page of the revisions of a target, newest first. */
export async function revisionPage(
  reading: ReadContext,
  { targetType, ...wanted }: HistoryParams & { targetType: string },
) {
  const { db } = reading
  const { targetId, total, ...input } = wanted
  const { items, ...page } = await pageOf(db, input, {
    kind: `revision of ${targetType}`,
    filters: { targetId },
    count: async () => total,
    scan: (on, given, pageWindow) => queries.scanHistory(on, 'revision', { ...given, ...pageWindow }),
    entries: (on, ids) => queries.revisionsById(on, ids, targetType),
  })
  const shown = (await withVia(reading, items)).map(({ changes, ...revision }) => ({
    ...revision,
    changes: Object.entries(parseJson<Changes>(changes)).map(([field, [before, after]]) => ({ field, before, after })),
  }))
  return { items: shown, ...page }
}

/** A page of the changes of a status, newest first. */
export async function statusChangePage(reading: ReadContext, { targetId, total, ...input }: HistoryParams) {
  const { items, ...page } = await pageOf(reading.db, input, {
    kind: 'statusChange',
    filters: { targetId },
    count: async () => total,
    scan: (on, given, pageWindow) => queries.scanHistory(on, 'statusChange', { ...given, ...pageWindow }),
    entries: (on, ids) => queries.statusChangesById(on, ids),
  })
  return { items: await withVia(reading, items), ...page }
}
