// What `npm run admin -- verify` says of a world.
import assert from 'node:assert/strict'
import { verifyEverything } from '../src/verify/verify.ts'
import type { World } from './world.ts'

type Stored = Pick<World, 'db' | 'dependencies'>

/** One sentence for each thing that is wrong in the database or in the stored files. */
export async function complaintsOf({ db, dependencies: { blobs } }: Stored): Promise<string[]> {
  const complaints: string[] = []
  await verifyEverything({ db, blobs }, (sentence) => complaints.push(sentence))
  return complaints
}

/** Fails if anything is wrong. */
export async function assertSound(world: Stored): Promise<void> {
  assert.deepEqual(await complaintsOf(world), [])
}
