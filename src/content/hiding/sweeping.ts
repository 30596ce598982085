// Hides or shows everything of an account in the background: one thing a transaction, which stores its progress. A process
// that ends loses nothing, and another one continues. A later request for the same reason starts from the beginning.

import { keysOf } from '../../contract/records.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Dependencies } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { required } from '../../runtime/untyped.ts'
import { removeObjects } from '../stored-files.ts'
import type { HideableKind } from '../things.ts'
import { changeHidden } from './hiding.ts'
import { type HiddenBy, hiddenBy } from './rules.ts'
import * as queries from './sweep-queries.ts'

/** Things that a transaction looks at; it changes one. */
const LOOKED_AT = 50

interface Sweep {
  userId: string
  by: HiddenBy
  isOn: boolean
  now: string
}

/** Adds a reason to hide everything of an account, or takes it away. */
export function startSweep(db: Transaction, { userId, by, isOn, now }: Sweep): Promise<void> {
  return queries.upsertSweep(db, { userId, bit: hiddenBy[by], isOn: isOn ? 1 : 0, startedAt: now })
}

/** Goes on with the sweep that waits for longest, until one thing has changed. Gives whether there was one. */
export async function sweepBatch(
  dependencies: Pick<Dependencies, 'db' | 'clock' | 'blobs' | 'log'>,
  hidings: readonly HideableKind[],
): Promise<boolean> {
  const keys = await sweepOne(dependencies, hidings)
  if (keys) await removeObjects(dependencies, keys)
  return keys !== undefined
}

/** Goes on with a sweep until one thing has changed. Gives the keys of stored files to remove; undefined when there was no sweep. */
async function sweepOne({ db, clock }: Pick<Dependencies, 'db' | 'clock'>, hidings: readonly HideableKind[]) {
  return db.transaction().execute(async (transaction) => {
    const sweep = await queries.takeSweep(transaction)
    if (!sweep) return undefined
    const now = timestamp(clock.now())
    const total = sweep.total ?? (await queries.countThings(transaction, sweep.userId))
    const [type = '', after = ''] = sweep.place.split('/')
    const at = type === '' ? 0 : hidings.findIndex((hiding) => hiding.type === type)
    const hiding = required(hidings[at])
    const { last, looked, keys = [] } = await change(transaction, hiding, { ...sweep, after, now })
    const next = hidings[at + 1]
    const place = last !== undefined ? `${hiding.type}/${last}` : next ? `${next.type}/` : sweep.place
    const doneAt = last === undefined && !next ? now : null
    await queries.updateSweep(transaction, sweep, { place, done: sweep.done + looked, total, doneAt })
    return keys
  })
}

interface SweepStep {
  /** The last thing that was looked at, if there was any. */
  last: string | undefined
  looked: number
  keys?: readonly string[]
}

/** What a sweep does with what another one hid, when that can be undone no more. */
const DELETES = 2

/** Looks at things until one changes. */
async function change(
  db: Transaction,
  hiding: HideableKind,
  { userId, bit, isOn, after, now }: queries.StoredSweep & { after: string; now: string },
): Promise<SweepStep> {
  const by = required(keysOf(hiddenBy).find((name) => hiddenBy[name] === bit))
  const ids = await hiding.listIdsOf(db, { authorId: userId, after, limit: LOOKED_AT })
  let looked = 0
  for (const id of ids) {
    looked++
    if (isOn === DELETES) {
      const thing = await hiding.lock(db, id)
      if (thing && (thing.hidden & bit) !== 0) return { last: id, looked, keys: await hiding.remove(db, id, now) }
    } else if (await changeHidden(db, hiding, { id, by, isOn: isOn === 1, now })) return { last: id, looked }
  }
  return { last: ids.at(-1), looked }
}
