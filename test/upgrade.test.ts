// An upgrade from the release before, with its own code: on PostgreSQL it runs on beside this one, on the schema of this one and under load;
// on SQLite it is stopped, and there is a way back.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../src/database/schema.ts'
import { newSigningKey } from '../src/oauth/server/server.ts'
import { Balancer } from './balancer.ts'
import { onPostgres } from './databases.ts'
import { workflowFile } from './library.ts'
import { makePreviousRelease, whyNoRelease } from './previous-release.ts'
import { randomOf } from './processes.ts'
import { type Environment, runProgram, startServer, withFolder } from './server.ts'

const JSON_BODY = { 'Content-Type': 'application/json' }
const CLIENTS = 4
/** An account may upload 30 in an hour. */
const MAX_UPLOADS = 25
const STARVED_MILLISECONDS = 250
/** What members do in each part of the upgrade at least, however slow the machine is. */
const MIN_REQUESTS = 40

type Send = (path: string, init?: RequestInit) => Promise<Response>

/** A member who signs up on a slow machine tries again. */
const patient =
  (send: Send): Send =>
  async (path, init) => {
    for (let left = 10; ; left--) {
      const answer = await send(path, init)
      if (answer.status !== 503 || left === 0) return answer
      await sleep(500)
    }
  }

/**
 * Looks whether the machine runs what it should: servers that say that they live, which asks nothing else of them, and the database with a
 * statement that needs no lock. Where one of them is late, an answer of 503 tells of the machine, not of the upgrade.
 */
function watchMachine(servers: readonly { url: string }[], db: Db) {
  const found = { isStarved: false, isOver: false }
  const times = async (work: () => Promise<unknown>) => {
    const began = performance.now()
    await work().catch(() => {})
    if (performance.now() - began > STARVED_MILLISECONDS) found.isStarved = true
  }
  const watching = (async () => {
    for (; !found.isOver; await times(() => sleep(10))) {
      await Promise.all([
        ...servers.map(({ url }) => times(() => fetch(`${url}/healthz`))),
        times(() => sql`select 1`.execute(db)),
      ])
    }
  })()
  return {
    async end(): Promise<boolean> {
      found.isOver = true
      await watching
      return found.isStarved
    },
  }
}

async function signUp(send: Send, name: string): Promise<string> {
  const body = JSON.stringify({ name, email: `${name}@example.com`, password: 'a long enough password' })
  const answer = await send('/api/auth/sign-up/email', { method: 'POST', headers: JSON_BODY, body })
  assert.equal(answer.status, 200, await answer.text())
  return answer.headers.getSetCookie()[0]!.split(';')[0]!
}

const LISTS = [
  '/api/community/feed',
  '/api/community/bugs?sort=popular',
  '/api/library/items',
  '/api/community/notifications',
  '/api/search?q=late',
]

/** What members do, one after the other; each answer is counted by its operation and status. */
class Member {
  readonly #random: () => number
  readonly #bugs: string[] = []
  readonly #send: Send
  readonly #cookie: string
  readonly #counts: Map<string, number>
  #number = 0
  #uploads = 0

  constructor(send: Send, { seed, cookie, counts }: { seed: number; cookie: string; counts: Map<string, number> }) {
    this.#random = randomOf(seed)
    this.#send = send
    this.#cookie = cookie
    this.#counts = counts
  }

  async #call(method: string, path: string, body?: object | FormData): Promise<Record<string, unknown>> {
    const isForm = body instanceof FormData
    const headers = { Cookie: this.#cookie, ...(body && !isForm ? JSON_BODY : {}) }
    const init = { method, headers, ...(body && { body: isForm ? body : JSON.stringify(body) }) }
    const answer = await this.#send(path, init)
    const text = await answer.text()
    const key = `${method} ${path.replace(/[0-9a-f-]{36}/, '{id}')} ${answer.status}${answer.ok ? '' : ` ${text}`}`
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
    return answer.ok && text.startsWith('{') ? JSON.parse(text) : {}
  }

  async act(): Promise<void> {
    const choice = this.#random()
    const bug = this.#bugs[Math.floor(this.#random() * this.#bugs.length)]
    const text = `Number ${this.#number++} of ${this.#cookie.slice(-6)}`
    if (choice < 0.3) return void (await this.#call('GET', LISTS[Math.floor(this.#random() * LISTS.length)]!))
    if (bug === undefined || choice < 0.4) {
      const made = await this.#call('POST', '/api/community/bugs', {
        title: text,
        description: 'It is late',
        severity: 'low',
      })
      if (typeof made['id'] === 'string') this.#bugs.push(made['id'])
    } else if (choice < 0.5) await this.#call('POST', '/api/community/posts', { title: text, body: 'It is late' })
    else if (choice < 0.6) await this.#call('POST', `/api/community/bugs/${bug}/comments`, { body: text })
    else if (choice < 0.75)
      await this.#call('POST', `/api/community/bugs/${bug}/vote`, { value: Math.floor(this.#random() * 3) - 1 })
    else if (choice < 0.9 || this.#uploads++ >= MAX_UPLOADS)
      await this.#call('PATCH', '/api/community/profile', { name: text, tagline: text, tags: ['late'] })
    else {
      const form = new FormData()
      for (const [name, value] of Object.entries({ kind: 'workflow', visibility: 'public' })) form.append(name, value)
      form.append('file', workflowFile({ name: text }))
      await this.#call('POST', '/api/library/items', form)
    }
  }
}

/** As a migration of a release may do, whatever the releases of this test differ in: each table gets a column more. */
async function grow(db: Db): Promise<void> {
  const tables = await db.introspection.getTables()
  for (const { name } of tables.filter((table) => !table.name.startsWith('kysely_'))) {
    await db.schema.alterTable(name).addColumn('later', 'text').execute()
  }
}

const verify = async (environment: Environment) => {
  const { code, output } = await runProgram(['src/admin.ts', 'verify'], environment)
  assert.equal(code, 0, output)
}

describe('an upgrade from the release before', { skip: whyNoRelease() ?? false }, () => {
  onPostgres('on PostgreSQL', (open) => {
    it('refuses nothing while both run under load, and leaves everything right', () =>
      withFolder(async (folder) => {
        const database = await open()
        await database.db.schema.dropSchema('public').cascade().execute()
        await database.db.schema.createSchema('public').execute()
        const settings = {
          DATA_DIR: join(folder, 'data'),
          SIGNING_KEY: JSON.stringify(newSigningKey()),
          DATABASE_URL: database.url,
        }
        const environment = { ...settings, DRAIN_SECONDS: '2' }
        const old = await startServer(environment, makePreviousRelease(join(folder, 'before')))
        const balancer = new Balancer()
        const servers = [old]
        const counts = new Map<string, number>()
        let isOver = false
        const machine = watchMachine(servers, database.db)
        try {
          balancer.add(old)
          const send: Send = (path, init) => balancer.fetch(path, init)
          const done = () => [...counts.values()].reduce((sum, count) => sum + count, 0)
          /** Lets the members go on for a while, and until they did enough. */
          const goOn = async (milliseconds: number) => {
            const before = done()
            await sleep(milliseconds)
            while (done() < before + MIN_REQUESTS && !isOver) await sleep(50)
          }
          const members = await Promise.all(
            Array.from(
              { length: CLIENTS },
              async (_, seed) =>
                new Member(send, { seed, counts, cookie: await signUp(patient(send), `member${seed}`) }),
            ),
          )
          const clients = Promise.all(
            members.map(async (member) => {
              for (; !isOver; await sleep(10)) await member.act()
            }),
          )
          await Promise.race([goOn(1_000), clients])
          // It migrates while the release before serves.
          servers.push(await startServer(environment))
          balancer.add(servers[1]!)
          await Promise.race([goOn(2_000), clients])
          await grow(database.db)
          await Promise.race([goOn(2_000), clients])
          await signUp(
            patient((path, init) => fetch(old.url + path, init)),
            'late',
          )
          assert.equal(await old.end('SIGTERM'), 0, old.output())
          balancer.remove(old)
          await sleep(500)
          isOver = true
          await clients
          const isStarved = await machine.end()
          const refused = [...counts.keys()].filter(
            (key) => !/ 20[014]$/.test(key) && !(isStarved && / 503 .*database (does not answer|is busy)/.test(key)),
          )
          assert.deepEqual(refused, [], servers.map((server) => server.output()).join('\n'))
          if (!isStarved) assert.deepEqual(balancer.gaps, [])
          assert.ok(done() > 100, JSON.stringify([...counts]))
          await verify(settings)
        } finally {
          isOver = true
          await machine.end()
          balancer.close()
          await Promise.all(servers.map((server) => server.end('SIGKILL')))
          await database.remove()
        }
      }))
  })

  it('has a way back on SQLite: the copy from before the migration', () =>
    withFolder(async (folder) => {
      const DATA_DIR = join(folder, 'data')
      const release = makePreviousRelease(join(folder, 'before'))
      const counts = new Map<string, number>()
      const use = async (place: string | undefined, cookie?: string) => {
        const server = await startServer({ DATA_DIR }, place)
        try {
          const send: Send = (path, init) => fetch(server.url + path, init)
          const own = cookie ?? (await signUp(send, 'member'))
          const member = new Member(send, { seed: 7, counts, cookie: own })
          for (let turn = 0; turn < 60; turn++) await member.act()
          const me = await send('/api/community/me', { headers: { Cookie: own } })
          const bugs = await send('/api/community/bugs')
          return { cookie: own, me: me.status, bugs: ((await bugs.json()) as { total: number }).total }
        } finally {
          await server.end('SIGTERM')
        }
      }
      const first = await use(release)
      const second = await use(undefined, first.cookie)
      assert.ok(second.me === 200 && second.bugs > first.bugs)
      await verify({ DATA_DIR })
      const path = join(DATA_DIR, 'guildhall.db')
      const copy = `${path}.before-migration`
      if (existsSync(copy)) {
        const refused = await runProgram([join(release, 'src/main.ts')], { DATA_DIR, PORT: '0' })
        assert.deepEqual([refused.code, /made by a newer version/.test(refused.output)], [1, true], refused.output)
        for (const rest of ['-wal', '-shm']) await rm(path + rest, { force: true })
        await copyFile(copy, path)
      }
      const back = await use(release, first.cookie)
      assert.ok(
        back.me === 200 && back.bugs > first.bugs && (!existsSync(copy) || back.bugs < second.bugs + first.bugs),
      )
      assert.deepEqual(
        [...counts.keys()].filter((key) => !/ 20[014]$/.test(key)),
        [],
      )
    }))
})
