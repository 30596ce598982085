// Solves every task both ways, each in a session of its own: an agent that begins. Fails where a result is not right.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteDatabase } from '../../test/databases.ts'
import { tokenOf } from '../../test/mcp/caller.ts'
import { makeWorld, type World } from '../../test/world.ts'
import { lists, type Way } from './lists.ts'
import { type Counts, ourSession, plainSession, scripted } from './sessions.ts'
import { furnish, helpers, type Task, tasks } from './tasks.ts'

export interface Solved {
  name: string
  by: Record<Way, Counts>
}

/** A world of its own for each way, as what is written in one would be found in the other. */
async function inWorld<T>(work: (world: World, token: string) => Promise<T>): Promise<T> {
  const database = await sqliteDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-agents-'))
  try {
    const world = await makeWorld(database, { BLOB_URL: `file:${folder}`, MCP_SCRIPTS: 'on' })
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

/** What the tasks come to by each way: lists that name the same tools cost the same calls. */
export async function solveAll(
  ways: readonly Way[] = ['plain', 'all', 'reading', 'short', 'two', 'script'],
): Promise<Solved[]> {
  const found = new Map<Way, Map<string, Counts>>()
  for (const way of ways) found.set(way, await counted(way))
  const ofWay = (way: Way, name: string) => (found.get(way) ?? found.get('all'))?.get(name) ?? { calls: 0, tokens: 0 }
  const all = Object.keys(lists) as Way[]
  return tasks.map(({ name }) => ({
    name,
    by: Object.fromEntries(all.map((way) => [way, ofWay(way, name)])) as Record<Way, Counts>,
  }))
}

const counted = async (way: Way) =>
  inWorld(async (world, token) => {
    const counts = new Map<string, Counts>()
    for (const task of inOrder) {
      const { result, counts: spent } = await solved(task, { world, token, way })
      assert.deepEqual(result, task.right, `${task.name}, ${way}`)
      counts.set(task.name, spent)
    }
    return counts
  })

interface Agent {
  world: World
  token: string
  way: Way
}

async function solved(task: Task, { world, token, way }: Agent): Promise<{ result: unknown; counts: Counts }> {
  if (way === 'script') return scripted(world, token, { run: task.ours ?? task.run, helpers })
  if (way === 'plain') {
    const session = plainSession(world, token)
    return { result: await task.run(session), counts: session.counts }
  }
  const session = ourSession(world, token, lists[way].listed)
  return { result: await (task.ours ?? task.run)(session), counts: session.counts }
}

export const sum = (solved: readonly Solved[], way: Way, of: keyof Counts): number =>
  solved.reduce((total, { by }) => total + by[way][of], 0)
