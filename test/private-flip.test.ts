// The setting of who reads, changed while three processes answer many anonymous callers out of warm caches: what was asked for while the instance
// was private has not one word of what is in it.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgres } from '../src/database/postgres.ts'
import { cacheCounts } from '../src/runtime/counts.ts'
import { buildSite } from '../src/surfaces/site/build.ts'
import { onEngines } from './databases.ts'
import { callsOf, fill, pagesOf, setReaders, WORD } from './private-world.ts'
import { listening } from './stored.ts'
import { temporaryDirectory } from './temporary.ts'
import { makeWorld, type World } from './world.ts'

const ROUNDS = 4
/** How old a setting may be in the processes that did not change it. */
const KNOWN_MILLISECONDS = 1_000

interface Answer {
  process: number
  path: string
  askedAt: number
  /** When all of it was there. */
  cameAt: number
  tells: boolean
}

/** While this lasts, a process answers nothing of the instance. */
interface Closed {
  from: number
  until: number
}

async function ask(process: number, port: number, path: string): Promise<Answer> {
  const askedAt = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' })
  const text = Buffer.from(await response.arrayBuffer()).toString('latin1')
  return { process, path, askedAt, cameAt: performance.now(), tells: text.includes(WORD) }
}

function behindPorts(worlds: readonly World[], work: (ports: number[]) => Promise<void>): Promise<void> {
  const next = ([world, ...rest]: readonly World[], ports: number[]): Promise<void> =>
    world ? listening(world, (port) => next(rest, [...ports, port])) : work(ports)
  return next(worlds, [])
}

await buildSite(() => {})

onEngines('who reads, changed under load', (open, engine) => {
  it('holds at once in the process that changes it, and within a second in all', async (t) => {
    const database = await open()
    const blobs = { BLOB_URL: `file:${await temporaryDirectory(t)}`, TEST_PROCESSES: '1' }
    const stores =
      engine === 'PostgreSQL' ? [1, 2, 3].map(() => openPostgres(database.url, { connections: 3 })) : undefined
    const worlds = await Promise.all(
      (stores ?? [database, database, database]).map(({ sync: _, ...store }) =>
        makeWorld({ ...store, url: database.url }, blobs),
      ),
    )
    const [first] = worlds as [World]
    const community = await fill(first)
    await Promise.all((stores ?? []).map((store) => store.join()))
    for (const { app } of worlds) app.jobs.start()
    const paths = [...callsOf(community), ...pagesOf(community)]
      .filter(({ method }) => method === 'GET')
      .map(({ path }) => path)
      .filter((path) => /bugs|posts|feed|library|members|search|orgs|labels/.test(path) && !/similar|png/.test(path))
    try {
      await behindPorts(worlds, async (ports) => {
        const answers: Answer[] = []
        let isOver = false
        const load = ports.flatMap((port, process) =>
          [0, 1].map(async (start) => {
            // Each twice at once: on a machine that is busy no path comes round again before a commit.
            for (let at = start * 7; !isOver; at++) {
              for (const _ of 'ab') answers.push(await ask(process, port, paths[at % paths.length]!))
            }
          }),
        )
        const closed: Closed[] = []
        for (let round = 0; round < ROUNDS; round++) {
          await sleep(700)
          await setReaders(first, 'members')
          const from = performance.now()
          await sleep(KNOWN_MILLISECONDS + 500)
          closed.push({ from, until: performance.now() })
          await setReaders(first, 'everyone')
        }
        await sleep(KNOWN_MILLISECONDS)
        isOver = true
        await Promise.all(load)
        const isClosed = ({ process, askedAt, cameAt }: Answer) =>
          closed.some(({ from, until }) => askedAt > from + (process === 0 ? 0 : KNOWN_MILLISECONDS) && cameAt < until)
        const refused = answers.filter(isClosed)
        const told = refused.filter(({ tells }) => tells).map(({ process, path }) => `${process} ${path}`)
        assert.deepEqual(told, [])
        assert.ok(refused.length > 20, `only ${refused.length} were asked for while it was private`)
        assert.ok(answers.filter(({ tells }) => tells).length > 20, 'nothing was shown while it was public')
        assert.ok((cacheCounts.all.get('answers|found') ?? 0) > 0, 'nothing came from a cache')
      })
    } finally {
      await Promise.all(worlds.map(({ app }) => app.jobs.stop()))
      for (const { db } of stores ?? []) await db.destroy()
      await database.remove()
    }
  })
})
