// People who vote on bugs of a Citus cluster while something happens to it, and what they were told.
import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { SHARD_KEYS } from '../src/database/distributed.ts'
import { required } from '../src/runtime/untyped.ts'
import type { Person, World } from './world.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const

interface Load {
  bugs: string[]
  /** By bug and person: the value that was acknowledged, undefined while one is under way or its outcome is not known. */
  known: Map<string, number | undefined>
  /** What a vote on a bug came to, since `forget`. */
  seen: Map<string, Set<number>>
  forget(): void
  end(): Promise<void>
}

/** People who vote on bugs until `end`. */
export async function votingOn(world: World, people: readonly Person[]): Promise<Load> {
  const bugs: string[] = []
  for (let n = 0; n < 16; n++) bugs.push((await world.alice.bugs.create(crash)).id)
  const [known, seen] = [new Map<string, number | undefined>(), new Map<string, Set<number>>()]
  let goesOn = true
  const voting = people.map(async (person, at) => {
    for (let turn = at; goesOn; turn++) {
      const id = required(bugs[turn % bugs.length])
      const value = turn % 3 === 0 ? -1 : 1
      const key = `${id} ${(await person.account()).id}`
      known.set(key, undefined)
      const answer = await person.request(`/api/community/bugs/${id}/vote`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ value }),
      })
      if (answer.status === 200) known.set(key, value)
      const isTold = answer.status !== 503 || Number(answer.headers.get('retry-after')) > 0
      seen.set(id, (seen.get(id) ?? new Set()).add(isTold ? answer.status : 0))
      await answer.text()
    }
  })
  return {
    ...{ bugs, known, seen, forget: () => seen.clear() },
    async end() {
      goesOn = false
      await Promise.all(voting)
    },
  }
}

/** Waits until something holds, which it does after a while. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 120_000; !(await holds()); await setTimeout(50)) {
    assert.ok(performance.now() < end, what)
  }
}

export const statusesOf = ({ seen }: Load, ids: readonly string[]): string[] =>
  ids.map((id) => [...(seen.get(id) ?? [])].join())

export async function keepsWhatItAcknowledged({ db }: World, { known }: Load): Promise<void> {
  const { rows } = await sql<{
    key: string
    value: number
  }>`select "targetId" || ' ' || "userId" as key, value from vote`.execute(db)
  const stored = new Map(rows.map(({ key, value }) => [key, value]))
  const acknowledged = [...known].filter(([, value]) => value !== undefined)
  assert.ok(acknowledged.length > 0)
  for (const [key, value] of acknowledged) assert.equal(stored.get(key), value, key)
}

/** The keys whose rows of a table are on a node, and the others: bugs by their votes unless told. */
export async function placesOf(
  { db }: World,
  ids: readonly string[],
  port: number,
  table: keyof typeof SHARD_KEYS = 'vote',
): Promise<{ on: string[]; off: string[] }> {
  const key = table === 'vote' ? sql`id::uuid` : sql`id`
  const { rows } = await sql<{
    id: string
    port: number
  }>`select id, n.nodeport as port from unnest(${[...ids]}::text[]) id
    join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column(${sql.lit(table)}, ${key})
    join pg_dist_node n on n.groupid = p.groupid`.execute(db)
  const on = rows.filter((row) => row.port === port).map(({ id }) => id)
  return { on, off: ids.filter((id) => !on.includes(id)) }
}
