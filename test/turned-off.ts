// Parts that an admin turns off, in every process of a test.
import { setTimeout as sleep } from 'node:timers/promises'
import type { PartName } from '../src/contract/parts.ts'
import type { World } from './world.ts'

/** Requests go to one process after the other: this many have asked each of them more than once. */
const LOOKS = 4
const WITHIN_MILLISECONDS = 5_000

/** Turns these parts off and all others on; every process knows it by then. */
export async function turnOff({ admin }: World, names: readonly PartName[]): Promise<void> {
  const value = names.join(', ')
  await admin.settings.change({ changes: { PARTS_OFF: value || null } })
  const isKnown = async () => {
    const { items } = await admin.settings.list({})
    return (items.find(({ name }) => name === 'PARTS_OFF')?.value ?? '') === value
  }
  const end = performance.now() + WITHIN_MILLISECONDS
  for (let looks = 0; looks < LOOKS; ) {
    looks = (await isKnown()) ? looks + 1 : 0
    if (performance.now() > end) throw new Error(`the parts that are off are not ${value} in every process`)
    if (looks === 0) await sleep(20)
  }
}
