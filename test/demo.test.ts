// The demo: what it makes, and when it makes nothing.
import assert from 'node:assert/strict'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { it as plainIt } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../src/database/open.ts'
import type { Db } from '../src/database/schema.ts'
import { fill } from '../src/demo/demo.ts'
import { freePort, runProgram, startServer, withData, withFolder } from './server.ts'
import { onEveryEngine, SIGNING_KEY } from './world.ts'

const WEEK = 7 * 86_400_000
const password = 'shown once, to one person'

async function countOf(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db)
  return Number(rows[0]!.count)
}

onEveryEngine(
  'the demo',
  (it) => {
    it('makes a community of eight weeks with 90 seconds of work', async ({ dependencies, db, anonymous }) => {
      const now = dependencies.clock.now()
      const before = process.cpuUsage()
      const { counts, addresses } = await fill(dependencies, { now, password })
      // Of the processor: a busy machine is not blamed on the demo.
      const { user, system } = process.cpuUsage(before)
      assert.ok(user + system < 90_000_000, `${(user + system) / 1e6} s`)
      const all = { per_page: 100 }
      const bugs = await anonymous.bugs.list(all)
      const features = await anonymous.features.list(all)
      const posts = await anonymous.posts.list(all)
      const orgs = await anonymous.orgs.list(all)
      const items = await anonymous.library.list(all)
      const blog = await anonymous.blog.list(all)
      const releases = await anonymous.changelog.list(all)
      // One of them is a draft.
      assert.equal(releases.total, counts['releases']! - 1)
      assert.ok(releases.items.every(({ closed }) => closed.length > 0))
      const runs = orgs.items.reduce((sum, { runCount }) => sum + runCount, 0)
      assert.deepEqual(
        [bugs.total, features.total, posts.total, orgs.total, runs],
        ['bugs', 'feature requests', 'posts', 'orgs in the gallery', 'runs of them'].map((name) => counts[name]),
      )
      assert.deepEqual([bugs.total, features.total, posts.total, orgs.total], [26, 21, 20, 8])
      for (const { items } of [bugs, features, posts]) assert.ok(items.some(({ labels }) => labels.length > 0))
      // Three items are private; the orgs of the gallery are listed in the library too.
      assert.equal(items.total, counts['items in the library']! - 3 + orgs.total)
      const talk = [...bugs.items, ...releases.items, ...blog.items, ...orgs.items].map(
        ({ commentCount }) => commentCount,
      )
      const aboutItems = items.items.filter(({ meta }) => meta['gallery'] !== true).map((item) => item.comment_count)
      assert.equal(
        [...talk, ...aboutItems].reduce((sum, count) => sum + count, 0),
        counts['comments'],
      )
      assert.equal(await countOf(db, 'vote'), counts['votes'])
      assert.deepEqual([...new Set(items.items.map(({ kind }) => kind))].sort(), ['automation', 'org', 'workflow'])
      assert.equal(items.items.filter(({ visibility }) => visibility === 'official').length, 1)
      assert.deepEqual([...new Set(bugs.items.map(({ status }) => status))].sort(), [
        ...['in_progress', 'open', 'resolved', 'wontfix'],
      ])
      assert.ok([...features.items, ...items.items].some(({ score }) => score < 0))
      const moments = [...bugs.items, ...features.items, ...posts.items].map(({ createdAt }) => Date.parse(createdAt))
      assert.ok(Math.min(...moments) > now - 8.5 * WEEK && Math.min(...moments) < now - 8 * WEEK)
      assert.ok(Math.max(...moments) <= now && Math.max(...moments) > now - WEEK / 7)

      // No mail is sent, no session stays open, and all users can sign in.
      assert.equal(await countOf(db, 'outbox'), 0)
      const later = new Date(dependencies.clock.now()).toISOString()
      assert.deepEqual(await db.selectFrom('session').select('id').where('expiresAt', '>', later).execute(), [])
      for (const [role, email] of Object.entries(addresses)) {
        const { user } = await anonymous.accounts.signIn({ email, password })
        assert.equal(user.role, role)
        assert.equal((await anonymous.request(user.image!)).status, 200)
      }
    })
  },
  { RATE_LIMITS: 'on' },
)

plainIt('The demo runs beside the server, says how to sign in, and never runs twice', async () => {
  await withData(async (DATA_DIR) => {
    const PORT = String(await freePort())
    const server = await startServer({ DATA_DIR, PORT })
    const first = await runProgram(['src/demo/main.ts'], { DATA_DIR, PORT })
    assert.equal(first.code, 0, first.output)
    const [, shown] = /the password of everybody is (\S+)/.exec(first.output)!
    const [, email] = /admin +(\S+)/.exec(first.output)!
    const answer = await fetch(`${server.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password: shown }),
    })
    assert.equal(answer.status, 200)
    await server.end('SIGTERM')
    const before = await rowCounts(DATA_DIR)
    const second = await runProgram(['src/demo/main.ts'], { DATA_DIR, PORT })
    assert.equal(second.code, 1)
    assert.match(second.output, /^This instance already has accounts, so the demo changes nothing\./)
    assert.deepEqual(await rowCounts(DATA_DIR), before)
  })
})

plainIt('The demo makes no accounts where others can reach them', async () => {
  await withFolder(async (folder) => {
    const DATA_DIR = join(folder, 'new')
    const { code, output } = await runProgram(['src/demo/main.ts'], {
      ...{ DATA_DIR, SIGNING_KEY, BASE_URL: 'https://guild.example' },
    })
    assert.equal(code, 1)
    assert.match(output, /others can reach https:\/\/guild\.example/)
    await assert.rejects(access(DATA_DIR))
  })
})

async function rowCounts(folder: string): Promise<Record<string, number>> {
  const { db } = await openDatabase(join(folder, 'guildhall.db'))
  const tables = await db.introspection.getTables()
  const counts: Record<string, number> = {}
  for (const { name } of tables) counts[name] = await countOf(db, name)
  await db.destroy()
  return counts
}
