// Compares a report with those that say about the same, and merges it where it says nothing new. A merge whose target changed afterwards by
// its author is undone: no author may take the report of another one away.

import { Problem } from '../../contract/problem.ts'
import type { Dependencies } from '../../request/handler.ts'
import { after, timestamp } from '../../runtime/clock.ts'
import { findSimilar } from '../../search/similar.ts'
import { UNDO_SECONDS } from '../merged/rules.ts'
import { listAstray } from '../merging/flood-queries.ts'
import type { Floodable, Flooding, Merging } from '../things.ts'
import { deleteCheck, findCheck, insertCheck } from './queries.ts'
import { mayGoInto, saysTheSame } from './rules.ts'

/** So many of those with a similar title are compared, the oldest first. */
const COMPARED = 50
const RETURNED_AT_ONCE = 20

const isSame = (report: Flooding, older: Flooding): boolean =>
  report.isOpen && older.isOpen && mayGoInto(report, older) && saysTheSame(report, older)

type Comparing = Pick<Dependencies, 'db' | 'clock' | 'config'>

const byServer = ({ db, clock }: Pick<Dependencies, 'db' | 'clock'>): Merging => ({
  ...{ db, now: timestamp(clock.now()) },
  ...{ by: null, address: null },
})

/** Compares a report that waits, once. */
export async function compare(dependencies: Comparing, floodables: readonly Floodable[], id: string): Promise<void> {
  const { db, config } = dependencies
  const waiting = await findCheck(db, id)
  const floodable = floodables.find(({ type }) => type === waiting?.type)
  const report = floodable && config.mergeFloods ? await floodable.find(db, id) : undefined
  if (floodable && report) await mergeInto(dependencies, floodable, report)
  await deleteCheck(db, id)
}

async function mergeInto(dependencies: Comparing, floodable: Floodable, report: Flooding): Promise<void> {
  const { db, clock } = dependencies
  const { title, id } = report
  const similar = await findSimilar(db, { title, types: [floodable.type], limit: COMPARED, now: clock.now() })
  const found: Flooding[] = []
  for (const candidate of similar) {
    const older = candidate.id === id ? undefined : await floodable.find(db, candidate.id)
    if (older && isSame(report, older)) found.push(older)
  }
  for (const older of found.toSorted((one, other) => one.number - other.number)) {
    if (await isDone(floodable.merge(byServer(dependencies), { id, into: older.id, isSame }))) return
  }
}

/** Whether an act was done; one that does not fit any more, because something changed since it was looked at, is left. */
async function isDone(act: Promise<void>): Promise<boolean> {
  try {
    await act
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

/** Undoes some merges whose target its author took back, and has what came back compared with others. Gives whether there may be more. */
export async function returnAstray(
  dependencies: Pick<Dependencies, 'db' | 'clock'>,
  floodables: readonly Floodable[],
): Promise<boolean> {
  const by = byServer(dependencies)
  let isFull = false
  for (const { type, table, open, undo } of floodables) {
    const since = after(by.now, -UNDO_SECONDS)
    const ids = await listAstray(by.db, { table, open, since, limit: RETURNED_AT_ONCE })
    let done = 0
    for (const id of ids) {
      if (!(await isDone(undo(by, id)))) continue
      await by.db.transaction().execute((transaction) => insertCheck(transaction, { id, type, createdAt: by.now }))
      done++
    }
    isFull ||= done === RETURNED_AT_ONCE
  }
  return isFull
}
