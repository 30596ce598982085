// A real server that is watched from inside (attack/monitor.ts) while requests come in. Counted is the CPU time between two turns
// of its event loop, so that a busy machine is not blamed on it; what is found is tried again before it counts.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { refusalOf } from '../../attack/attack.ts'
import type { Person } from '../../attack/person.ts'
import { type Local, startServer } from '../../attack/server.ts'
import { Target } from '../../attack/target.ts'
import { addRun, BUG, makeOrg, publish, publishToAll, setAvatar } from '../../attack/things.ts'
import { onePixelDeepPng } from '../pictures.ts'
import { files, markdown } from './bodies.ts'
import { toolCases } from './elsewhere.ts'
import type { Case, Things } from './requests.ts'

const LONGEST_TURN_MILLISECONDS = 200
const GROWTH_BYTES = 100 * 1024 * 1024
const AT_ONCE = 4
const TRIES = 3

/** The server of a test file, with an admin and one of most things. */
export interface Watched {
  alice: Person
  things: Things
  /** Does it, and again when something was found: only what is found every time is a finding. */
  watch(what: string, work: () => Promise<void>): Promise<void>
  /** Sends requests, some at once, while the server is watched. */
  watchCases(cases: readonly Case[]): Promise<void>
}

/** Starts a server before the tests of this file, and ends it after them. */
export function watchedServer(): Watched {
  let local: Local
  const watched = { things: {} } as Watched
  before(async () => {
    local = await startServer({ engine: 'sqlite', settings: { RATE_LIMITS: 'off', LOG_LEVEL: 'silent' } })
    watched.alice = await new Target({ place: local.place, local, offers: [] }).withRole('admin')
    watched.things = await prepare(watched.alice)
  })
  after(() => local?.close())

  async function attempt(work: () => Promise<void>): Promise<string | undefined> {
    await local.report()
    const before = await local.report()
    await work()
    const { longestTurn, memory } = await local.report()
    const grown = memory - before.memory
    if (longestTurn > LONGEST_TURN_MILLISECONDS) return `the event loop stood still for ${Math.round(longestTurn)} ms`
    return grown > GROWTH_BYTES ? `memory grew by ${Math.round(grown / 1024 / 1024)} MB` : undefined
  }

  async function sendAll(cases: readonly Case[]): Promise<void> {
    const left = [...cases]
    const send = async () => {
      for (let next = left.shift(); next; next = left.shift()) {
        const { status } = await watched.alice.send({ ...next.sent })
        assert.ok(status < 500 || status === 503, `${next.name}: ${status}`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, send))
    assert.ok(local.runs(), local.output())
  }

  watched.watch = async (what, work) => {
    const found: string[] = []
    while (found.length < TRIES) {
      const finding = await attempt(work)
      if (!finding) return
      found.push(finding)
    }
    assert.fail(`${what}: ${found.join('; ')}`)
  }
  watched.watchCases = async (cases) => {
    if (!(await attempt(() => sendAll(cases)))) return
    // One at a time, where several together were too much: names the one that is to blame.
    for (const one of cases) await watched.watch(one.name, () => sendAll([one]))
    await watched.watch('all of them', () => sendAll(cases))
  }
  return watched
}

/** Makes one of most things, and has everything loaded that is loaded when it is first asked for: that is no growth. */
async function prepare(alice: Person): Promise<Things> {
  const { id, slug } = await makeOrg(alice)
  const item = await publishToAll(alice)
  const bug = await alice.api.bugs.create(BUG)
  await setAvatar(alice, onePixelDeepPng(5_000, 5_000))
  await refusalOf(publish(alice, 'automation', files['an archive of 50 MB']!()))
  const { runId, fileId } = await addRun(alice, id, { 'a.md': markdown['links']!(100_000) })
  // Once for every thread that renders, and again.
  for (let n = 0; n < 8; n += 1) await alice.get(`/community/orgs/${slug}/runs/${runId}/${fileId}`)
  for (const path of ['/library', '/community', '/sign-in', '/feed.atom']) await alice.get(path)
  for (const { sent } of toolCases().slice(0, 5)) await alice.send(sent)
  await new Promise((resolve) => setTimeout(resolve, 500))
  return { '/community/bugs': bug.id, '/community/orgs': id, '/library': item.id, '/community/library': item.id }
}
