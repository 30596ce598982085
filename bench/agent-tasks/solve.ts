// Solves every task both ways, each in a session of its own: an agent that begins. Fails where a result is not right.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteDatabase } from '../../test/databases.ts'
import { tokenOf } from '../../test/mcp/caller.ts'
import { makeWorld, type World } from '../../test/world.ts'
import { type Counts, ourSession, plainSession } from './sessions.ts'
import { furnish, type Task, tasks } from './tasks.ts'

export interface Solved {
  name: string
  ours: Counts
  plain: Counts
}

/** A world of its own for each way, as what is written in one would be found in the other. */
async function inWorld<T>(work: (world: World, token: string) => Promise<T>): Promise<T> {
  const database = await sqliteDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-agents-'))
  try {
    const world = await makeWorld(database, { BLOB_URL: `file:${folder}` })
    await furnish(world)
    return await work(world, await tokenOf(world, world.alice))
  } finally {
    await database.remove()
    await rm(folder, { recursive: true })
  }
}

/** Each task once; what does more than one needs comes last, so that the others find what is new. */
const order = (task: Task) => (task.name.includes('all is read') ? 1 : 0)
const inOrder = tasks.toSorted((a, b) => order(a) - order(b))

export async function solveAll(): Promise<Solved[]> {
  const counted = async (way: 'ours' | 'plain') =>
    inWorld(async (world, token) => {
      const counts = new Map<string, Counts>()
      for (const task of inOrder) {
        const session = way === 'ours' ? ourSession(world, token) : plainSession(world, token)
        const run =
          way === 'ours' && task.ours ? task.ours(session as ReturnType<typeof ourSession>) : task.run(session)
        assert.deepEqual(await run, task.right, `${task.name}, ${way}`)
        counts.set(task.name, session.counts)
      }
      return counts
    })
  const [ours, plain] = [await counted('ours'), await counted('plain')]
  return tasks.map(({ name }) => ({ name, ours: ours.get(name)!, plain: plain.get(name)! }))
}

export const sum = (solved: readonly Solved[], way: 'ours' | 'plain', of: keyof Counts): number =>
  solved.reduce((total, one) => total + one[way][of], 0)
