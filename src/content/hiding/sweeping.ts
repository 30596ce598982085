// Hides everything of an account, or shows it again, in the background: one thing a transaction, which stores how far it got. A process
// that ends loses nothing, and others go on there. What is asked for later about the same reason starts from the beginning.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Transaction } from '../../database/schema.ts'
import type { Dependencies } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { required } from '../../runtime/untyped.ts'
import { changeHidden, type Hiding } from './hiding.ts'
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

/** Does all that waits. Between transactions it pauses for as long as one takes. */
export async function sweepAll(
  dependencies: Pick<Dependencies, 'db' | 'clock'>,
  hidings: readonly Hiding[],
): Promise<void> {
  for (;;) {
    const started = performance.now()
    if (!(await sweepOne(dependencies, hidings))) return
    await sleep(Math.min(20, performance.now() - started))
  }
}

/** Goes on with a sweep until one thing has changed. Gives whether there was one. */
async function sweepOne({ db, clock }: Pick<Dependencies, 'db' | 'clock'>, hidings: readonly Hiding[]) {
  if (!(await queries.isPending(db))) return false
  return db.transaction().execute(async (transaction) => {
    const sweep = await queries.takeSweep(transaction)
    if (!sweep) return false
    const now = timestamp(clock.now())
    const total = sweep.total ?? (await queries.countThings(transaction, sweep.userId))
    const [type = '', after = ''] = sweep.place.split('/')
    const at = type === '' ? 0 : hidings.findIndex((hiding) => hiding.type === type)
    const hiding = required(hidings[at])
    const { last, looked } = await change(transaction, hiding, { ...sweep, after, now })
    const next = hidings[at + 1]
    const place = last !== undefined ? `${hiding.type}/${last}` : next ? `${next.type}/` : sweep.place
    const doneAt = last === undefined && !next ? now : null
    await queries.updateSweep(transaction, sweep, { place, done: sweep.done + looked, total, doneAt })
    return true
  })
}

/** Looks at things until one changes. Gives the last one, if there was any, and how many there were. */
async function change(
  db: Transaction,
  hiding: Hiding,
  { userId, bit, isOn, after, now }: queries.StoredSweep & { after: string; now: string },
): Promise<{ last: string | undefined; looked: number }> {
  const by = required((Object.keys(hiddenBy) as HiddenBy[]).find((name) => hiddenBy[name] === bit))
  const ids = await hiding.listIdsOf(db, { authorId: userId, after, limit: LOOKED_AT })
  let looked = 0
  for (const id of ids) {
    looked++
    if (await changeHidden(db, hiding, { id, by, isOn: isOn === 1, now })) return { last: id, looked }
  }
  return { last: ids.at(-1), looked }
}
