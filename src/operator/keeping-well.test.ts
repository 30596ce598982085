// The commands that an operator looks with: check, stats, migrate.
import assert from 'node:assert/strict'
import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { it as alone } from 'node:test'
import { live } from '../../test/living.ts'
import { MADE_UP, withMadeUp } from '../../test/made-up-migrations.ts'
import { runCommand } from '../../test/operator.ts'
import { withFolder } from '../../test/server.ts'
import { temporaryDirectory } from '../../test/temporary.ts'
import { onEveryEngine, type World } from '../../test/world.ts'
import { type Config, readConfig } from '../config/config.ts'
import { pendingOf } from '../database/existing.ts'
import { migrationNames } from '../database/migrations.ts'
import { backupAges, noteBackup } from '../runtime/backup-times.ts'
import { verify } from '../verify/verify.ts'
import { backupWith } from './backup.ts'
import { check } from './check.ts'
import { judge } from './checking-proxy.ts'
import { reindex } from './jobs.ts'
import { migrate } from './migrating.ts'
import { move } from './move.ts'
import { lineOf } from './output.ts'
import { rotateKey } from './rotate-key.ts'
import { stats } from './stats.ts'
import { users } from './users.ts'

const backup = backupWith(() => import('./shipping.ts'))

interface Checked {
  name: string
  state: string
  detail: string
}

async function checked(config: Partial<Config>, options: { mail?: string } = {}) {
  const { code, results } = await runCommand(check, config, options)
  const { checks } = results[0] as { checks: Checked[] }
  return { code, ...Object.fromEntries(checks.map(({ name, state, detail }) => [name, `${state}: ${detail}`])) } as {
    code: number
  } & Record<string, string>
}

interface Counted {
  rows: Record<string, number>
  last30Days: { joined: number; active: number }
  databaseBytes: number
  storedBytes: number
  waiting: Record<string, object>
}

async function counted({ dependencies: { config } }: World): Promise<Counted> {
  const [found] = (await runCommand(stats, config)).results as Counted[]
  return found!
}

onEveryEngine('npm run admin', (it) => {
  it('checks everything that a server needs', (world) =>
    withFolder(async (dataDir) => {
      await live(world)
      const mailUrl = `file:${join(dataDir, 'mail')}`
      const config = { ...world.dependencies.config, dataDir, mailUrl, baseUrl: 'http://localhost:1' }
      const found = await checked(config, { mail: 'operator@example.com' })
      assert.match(found['database']!, /^ok: .* has every migration/)
      for (const name of ['files', 'key', 'clock', 'mail']) assert.match(found[name]!, /^ok: /, name)
      assert.match(found['proxy']!, /^skipped: .* does not respond/)
      assert.equal(found.code, 0)
      assert.match((await checked(config))['mail']!, /^skipped/)
      const silent = await checked({ ...config, databaseUrl: 'postgres://someone@127.0.0.1:1/none' })
      assert.deepEqual([silent.code, silent['database']!.slice(0, 6)], [1, 'error:'])
      const wrong = await checked({ ...config, blobUrl: 's3://bucket?endpoint=http://127.0.0.1:1&timeout=1' })
      assert.deepEqual([wrong.code, wrong['files']!.slice(0, 6)], [1, 'error:'])
      world.clock.jump(3_600)
      await world.admin.admin.block({ id: (await world.bob.account()).id, blocked: true })
      const ahead = await checked(config)
      assert.match(ahead['clock']!, /^error: the audit log was written in the future/)
    }))

  it('tells how old the backups of this machine are, as /metrics does', (world) =>
    withFolder(async (dataDir) => {
      const { config } = world.dependencies
      // The server of the world has this folder; those of others are told by the command alone.
      const said = async () => (await checked({ ...config, dataDir }))['backup']
      assert.equal(await said(), 'skipped: no backup was taken on this machine')
      const now = Date.now()
      const ago = (seconds: number) => new Date(now - seconds * 1_000).toISOString()
      assert.ok(Number.isNaN(backupAges(dataDir, now).backup))
      await runCommand(backup, { ...config, dataDir }, { parameters: [join(dataDir, 'kept')] })
      assert.match((await said()) ?? '', /^ok: the last one was taken \d+ s ago$/)
      noteBackup(dataDir, { backup: ago(3 * 86_400) })
      assert.equal(await said(), 'warning: the last one was taken 72 hours ago')
      noteBackup(dataDir, { changes: ago(2) })
      assert.match((await said()) ?? '', /^ok: the last one was taken 72 hours ago; .* all changes until \d+ s ago$/)
      noteBackup(dataDir, { changes: ago(90) })
      assert.match((await said()) ?? '', /^warning: .* all changes until \d+ s ago$/)
      assert.deepEqual(backupAges(dataDir, now), { backup: 3 * 86_400, changes: 90 })
      const metrics = await (await world.app.operatorFetch(new Request('http://localhost:3000/metrics'))).text()
      assert.match(metrics, /^guildhall_backup_age_seconds\{what="changes"\} (\d|NaN)/im)
    }))

  it('counts what is there and what waits', async (world) => {
    await live(world)
    const { rows, last30Days, databaseBytes, storedBytes, waiting } = await counted(world)
    assert.ok(rows['user']! > 1 && rows['bug'] === 1, JSON.stringify(rows))
    assert.equal(last30Days['joined'], rows['user'])
    assert.ok(databaseBytes > 100_000 && storedBytes > 0)
    assert.deepEqual(Object.keys(waiting), ['mail', 'events', 'webhooks', 'erasures'])
    await world.app.deliver()
    assert.deepEqual((await counted(world)).waiting['events'], { count: 0, oldestAt: null })
  })

  it('says that no migration is missing', async ({ dependencies: { config } }) => {
    const { results } = await runCommand(migrate, config, { 'dry-run': true })
    assert.deepEqual(results, [{ pending: [], applied: [] }])
  })
})

alone('commands about a database refuse a folder without one, and make none', () =>
  withFolder(async (dataDir) => {
    const config = readConfig({ DATA_DIR: dataDir })
    const somewhere = { database: join(dataDir, 'other.db'), finish: true }
    const commands = [
      ...[stats, reindex, rotateKey].map((command) => () => runCommand(command, config)),
      () => runCommand(users, config, { parameters: ['list'] }),
      () => runCommand(move, config, somewhere),
      () => verify(config, { complain() {}, progress() {}, result() {} }),
    ]
    for (const run of commands) await assert.rejects(run, /there is no database at .*guildhall\.db: set DATA_DIR/)
    assert.deepEqual(await readdir(dataDir), [])
  }),
)

alone('commands about a database of an earlier version leave its migration to a start', (t) =>
  withFolder(async (dataDir) => {
    const config = readConfig({ DATA_DIR: dataDir })
    await runCommand(migrate, config)
    withMadeUp(t)
    const commands = [
      ...[stats, reindex].map((command) => () => runCommand(command, config)),
      () => runCommand(users, config, { parameters: ['list'] }),
      () => runCommand(move, config, { database: join(dataDir, 'other.db') }),
      () => verify(config, { complain() {}, progress() {}, result() {} }),
    ]
    for (const run of commands) await assert.rejects(run, /is of an earlier version: a start runs the 1 missing/)
    assert.deepEqual(await pendingOf(config.databaseUrl), [MADE_UP])
  }),
)

interface Tried {
  pending: string[]
  tried: { bytes: number }
}

alone('says which migrations are missing, and runs them only when told', (t) =>
  withFolder(async (dataDir) => {
    const place = { dataDir, databaseUrl: join(dataDir, 'guildhall.db') }
    const pending = async (more: Record<string, boolean> = {}) => {
      const [result] = (await runCommand(migrate, place, more)).results as { pending: string[]; applied: string[] }[]
      return [result!.pending.length, result!.applied.length]
    }
    const all = migrationNames().length
    assert.deepEqual(await pending({ 'dry-run': true }), [all, 0])
    assert.deepEqual(await pending({ 'dry-run': true }), [all, 0])
    assert.deepEqual(await pending(), [0, all])
    withMadeUp(t)
    assert.deepEqual(await pending({ 'dry-run': true }), [1, 0])
    assert.deepEqual(await pending(), [0, 1])
    assert.deepEqual(await pending(), [0, 0])
  }),
)

alone('a migration is tried on a copy of a SQLite database, which stays as it was', (t) =>
  withFolder(async (dataDir) => {
    const place = { dataDir, databaseUrl: join(dataDir, 'guildhall.db') }
    await runCommand(migrate, place)
    withMadeUp(t)
    for (const _ of ['first', 'again']) {
      const [found] = (await runCommand(migrate, place, { 'dry-run': true })).results as Tried[]
      assert.deepEqual(found!.pending, [MADE_UP])
      assert.ok(found!.tried.bytes > 100_000)
    }
  }),
)

alone('the key in the data folder is for its owner alone', async (t) => {
  const dataDir = await temporaryDirectory(t)
  const config = readConfig({ DATA_DIR: dataDir, BASE_URL: 'http://localhost:1' })
  assert.match((await checked(config))['key']!, /^skipped: the first start makes/)
  await mkdir(dataDir, { recursive: true })
  const { newSigningKey } = await import('../oauth/server/server.ts')
  await writeFile(join(dataDir, 'signing-key.json'), JSON.stringify(newSigningKey()), { mode: 0o600 })
  assert.match((await checked(config))['key']!, /^ok: /)
  await chmod(join(dataDir, 'signing-key.json'), 0o644)
  assert.match((await checked(config))['key']!, /^error: .* chmod 600/)
  await rm(join(dataDir, 'signing-key.json'))
})

alone('what a proxy does wrong is said, with what to set', async () => {
  const seen = { host: 'guild.example', client: '198.51.100.7', peer: '10.0.0.2' }
  const about = (forwarded: string, trustProxy: number, more: Partial<typeof seen> = {}) =>
    judge({ ...seen, forwarded, ...more }, { expected: 'guild.example', trustProxy })
  assert.equal(about('192.0.2.1, 198.51.100.7', 1).state, 'ok')
  assert.equal(about('198.51.100.7', 1).state, 'ok')
  for (const nothing of ['192.0.2.1', ''])
    assert.equal(about(nothing, 0, { client: '127.0.0.1' }).detail, 'no proxy is in front')
  assert.match(about('192.0.2.1, 198.51.100.7', 2, { client: '192.0.2.1' }).detail, /callers choose their address/)
  assert.match(about('192.0.2.1, 198.51.100.7', 0, { client: '10.0.0.2' }).detail, /TRUST_PROXY is 0/)
  assert.match(about('192.0.2.1, 198.51.100.7', 1, { host: 'localhost:3000' }).detail, /must pass on guild\.example/)
  const proxy = createServer((incoming, outgoing) => {
    if (incoming.method === 'POST') return outgoing.writeHead(413).end()
    outgoing.writeHead(200, { 'X-Request-Id': 'a' }).end('ready\n')
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  const { checkProxy } = await import('./checking-proxy.ts')
  const config = readConfig({ BASE_URL: `http://127.0.0.1:${port}` })
  assert.match((await checkProxy(config)).detail, /refuses bodies of 25000000 bytes/)
  proxy.closeAllConnections()
  proxy.close()
})

alone('a line of progress has a bar where the whole is known', () => {
  assert.equal(lineOf('Counting'), 'Counting')
  assert.equal(lineOf('Copying', 0), `[${'.'.repeat(30)}]   0 % Copying`)
  assert.equal(lineOf('Copying', 0.5), `[${'#'.repeat(15)}${'.'.repeat(15)}]  50 % Copying`)
  assert.equal(lineOf('Copying', 2), `[${'#'.repeat(30)}] 100 % Copying`)
  assert.equal(lineOf('Copying', Number.NaN), 'Copying')
})
