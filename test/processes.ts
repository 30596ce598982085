// Several processes on one database behind ports of their own, what members write there, and what each of them must show.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { listening } from './stored.ts'
import type { World } from './world.ts'

const STALE_MILLISECONDS = 1_000

export interface Process {
  get(path: string, cookie?: string): Promise<string>
  /** As the member, or with another cookie. */
  send(method: string, path: string, body?: unknown, as?: string): Promise<Record<string, string>>
}

/** Runs `work` with each world behind a port, as the same member. */
export async function behindPorts(
  worlds: readonly World[],
  cookie: string,
  work: (processes: Process[]) => Promise<void>,
): Promise<void> {
  const next = async (rest: readonly World[], processes: Process[]): Promise<void> => {
    const [world, ...others] = rest
    if (!world) return work(processes)
    return listening(world, (port) => next(others, [...processes, processAt(port, cookie)]))
  }
  return next(worlds, [])
}

/** Signs up; the cookie is that of the session. */
export async function memberOf({ app }: World, name = 'ada'): Promise<{ cookie: string }> {
  const body = JSON.stringify({ name, email: `${name}@example.com`, password: 'a long enough password' })
  const headers = { 'Content-Type': 'application/json' }
  const answer = await app.fetch(
    new Request('http://localhost:3000/api/auth/sign-up/email', { method: 'POST', headers, body }),
  )
  assert.equal(answer.status, 200)
  return { cookie: answer.headers.getSetCookie()[0]!.split(';')[0]! }
}

/** An answer that is not 503: a machine without a free processor may keep the database from its process for a second. */
async function answerOf(url: string, init: RequestInit): Promise<Response> {
  for (;;) {
    const answer = await fetch(url, init)
    if (answer.status !== 503) return answer
    await answer.body?.cancel()
    await sleep(1_000)
  }
}

function processAt(port: number, cookie: string): Process {
  const at = (path: string) => `http://127.0.0.1:${port}${path}`
  return {
    async get(path, as) {
      const answer = await answerOf(at(path), { headers: as === undefined ? {} : { Cookie: as } })
      assert.equal(answer.status, 200, path)
      return answer.text()
    },
    async send(method, path, body, as = cookie) {
      const answer = await answerOf(at(path), {
        method,
        headers: { Cookie: as, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
      return (await answer.json().catch(() => ({}))) as Record<string, string>
    },
  }
}

/** A generator of the same numbers each time (mulberry32), in [0, 1). */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Lists that what is written shows in. */
export const LISTS = [
  '/api/community/feed',
  '/api/community/feed?sort=popular',
  '/api/community/bugs',
  '/api/community/posts?sort=popular',
  '/api/community/features',
]

/** Writes something of its own choice at `process`, and adds what it made to `bugs`. */
export async function write(process: Process, random: () => number, bugs: string[]): Promise<void> {
  const choice = random()
  const bug = bugs[Math.floor(random() * bugs.length)]
  const text = `Text ${Math.floor(random() * 1e9)}`
  if (bug === undefined || choice < 0.2) {
    bugs.push(
      (
        await process.send('POST', '/api/community/bugs', {
          title: text,
          description: `${text} does not work`,
          severity: 'low',
        })
      )['id']!,
    )
  } else if (choice < 0.35) {
    await process.send('POST', '/api/community/posts', { title: text, body: `${text} is a long post` })
  } else if (choice < 0.5) {
    await process.send('POST', '/api/community/features', { title: text, description: `${text} would be useful` })
  } else if (choice < 0.7) {
    await process.send('POST', `/api/community/bugs/${bug}/comments`, { body: text })
  } else {
    await process.send('POST', `/api/community/bugs/${bug}/vote`, { value: Math.floor(random() * 3) - 1 })
  }
}

/** Asks `process` until it gives `expected`; fails if a request sent a second after the change still gives something else. */
export async function showsWithinASecond(process: Process, path: string, expected: string): Promise<void> {
  const changedAt = performance.now()
  for (;;) {
    const sentAt = performance.now()
    const shown = await process.get(path)
    if (shown === expected) return
    assert.ok(sentAt - changedAt < STALE_MILLISECONDS, `${path} is older than a second`)
    await sleep(20)
  }
}
