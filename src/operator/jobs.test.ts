// Jobs at the command line: what it says is what happens, and what was given up runs again.
import assert from 'node:assert/strict'
import { runCommand } from '../../test/operator.ts'
import { onEveryEngine, type World } from '../../test/world.ts'
import { exportJob } from '../accounts/feature.ts'
import type { JobReport } from '../core/jobs/report.ts'
import { JobRunner } from '../core/jobs/runner.ts'
import { jobsOf } from '../jobs.ts'
import { jobs } from './jobs.ts'
import type { Output } from './output.ts'
import { stats } from './stats.ts'

const admin = ({ dependencies: { config } }: World, ...parameters: string[]) => runCommand(jobs, config, { parameters })

async function reportsOf(world: World): Promise<Map<string, JobReport>> {
  const { code, results } = await admin(world)
  assert.equal(code, 0)
  const [found] = results as { jobs: JobReport[] }[]
  return new Map(found!.jobs.map((report) => [report.kind, report]))
}

/** What people read. */
async function textOf({ dependencies: { config } }: World): Promise<string> {
  const texts: string[] = []
  const output: Output = { say() {}, complain() {}, progress() {}, result: (_, text) => void texts.push(text) }
  await jobs.run({ settings: () => config, parameters: [], options: {}, output })
  return texts.join('\n')
}

/** A process whose disk takes no archive. */
const brokenProcess = ({ dependencies }: World) => {
  const { blobs } = dependencies
  const artifacts = { ...blobs.artifacts, stage: () => Promise.reject(new Error('no room\nfor it')) }
  const broken = { ...dependencies, blobs: { ...blobs, artifacts } }
  return new JobRunner(dependencies, [exportJob(dependencies, () => broken)])
}

async function tryExports(world: World, times: number): Promise<void> {
  for (let n = 0; n < times; n++) await assert.rejects(brokenProcess(world).run('exports.prepare'), /no room/)
}

onEveryEngine('npm run admin -- jobs', (it) => {
  it('shows every kind that is declared, with what wakes it and what waits', async (world) => {
    const { alice, dependencies, app } = world
    await app.cleanUp()
    const before = await reportsOf(world)
    assert.deepEqual(
      [...before].map(([kind, { summary }]) => [kind, summary]),
      app.jobs.jobs.map(({ kind, summary }) => [kind, summary]),
    )
    assert.equal(before.get('exports.prepare')!.waiting, 0)
    await alice.dataExports.request()
    const after = await reportsOf(world)
    const { waiting, oldestAt, nextAt, running, failing, givenUp, wake } = after.get('exports.prepare')!
    assert.deepEqual([waiting, running, failing, givenUp, wake], [1, 0, 0, 0, 'what waits'])
    const [row] = await world.db.selectFrom('dataExport').select('requestedAt').execute()
    assert.equal(oldestAt, row!.requestedAt)
    assert.ok(nextAt! >= oldestAt)
    const cleanUp = after.get('cleanUp.mails')!
    assert.deepEqual([cleanUp.wake, cleanUp.waiting], ['every 5 min', 0])
    assert.ok(Date.parse(cleanUp.nextAt!) > dependencies.clock.now())
    assert.deepEqual([after.get('log.backfill')!.wake, after.get('log.backfill')!.waiting], ['once', 1])
    assert.equal(after.get('mail.send')!.wake, 'each process, every 2 s')
    const text = await textOf(world)
    assert.match(text, /^kind +wakes by +waiting .*what it does\n/)
    assert.match(text, /^exports\.prepare +what waits +1 +\d+ s +- +- +- +now {2}prepares the archive/m)
    await app.work()
    await app.backfill()
    const done = await reportsOf(world)
    assert.deepEqual([done.get('exports.prepare')!.waiting, done.get('log.backfill')!.waiting], [0, 0])
  })

  it('says what fails, with its key and its last error in one line', async (world) => {
    const { id } = await world.alice.dataExports.request()
    await tryExports(world, 1)
    const { failing, givenUp, lastError, failed, nextAt } = (await reportsOf(world)).get('exports.prepare')!
    assert.deepEqual([failing, givenUp, lastError], [1, 0, 'no room\nfor it'])
    const [one] = failed
    assert.deepEqual([one?.key, one?.state, one?.attempts, one?.error], [id, 'failing', 1, 'no room\nfor it'])
    assert.ok(nextAt! >= one!.at)
    assert.match(
      await textOf(world),
      new RegExp(`^exports.prepare ${id}: tried again at \\S+, 1 attempt, no room`, 'm'),
    )
    assert.doesNotMatch(await textOf(world), /^for it/m)
    const [counted] = (await runCommand(stats, world.dependencies.config)).results as { jobs: object }[]
    assert.deepEqual(counted?.jobs, { failing: 1, givenUp: 0 })
    await world.app.work()
    assert.equal((await reportsOf(world)).get('exports.prepare')!.failing, 0)
  })

  it('lets what was given up run again, and what its members see follows', async (world) => {
    const { alice, app } = world
    const { id } = await alice.dataExports.request()
    await tryExports(world, 3)
    const { waiting, givenUp, failed } = (await reportsOf(world)).get('exports.prepare')!
    assert.deepEqual([waiting, givenUp, failed[0]?.state], [0, 1, 'given_up'])
    await app.work()
    assert.equal((await alice.dataExports.list()).items[0]?.state, 'failed')
    const { code, results } = await admin(world, 'retry', 'exports.prepare', id)
    assert.deepEqual([code, results], [0, [{ kind: 'exports.prepare', retried: [id] }]])
    assert.equal((await alice.dataExports.list()).items[0]?.state, 'waiting')
    // It has all its attempts again.
    await tryExports(world, 2)
    assert.equal((await alice.dataExports.list()).items[0]?.state, 'waiting')
    await app.work()
    assert.equal((await alice.dataExports.list()).items[0]?.state, 'ready')
    assert.equal((await alice.dataExports.download({ id })).status, 200)
    assert.equal((await reportsOf(world)).get('exports.prepare')!.failed.length, 0)
  })

  it('lets all that failed of a kind run again, and says where nothing did', async (world) => {
    const { alice, bob, app } = world
    const ids = [(await alice.dataExports.request()).id, (await bob.dataExports.request()).id]
    assert.equal((await admin(world, 'retry', 'exports.prepare')).code, 1)
    const process = brokenProcess(world)
    for (let n = 0; n < 3; n++) await process.run('exports.prepare').catch(() => {})
    assert.equal((await admin(world, 'retry', 'exports.prepare', 'no-such-key')).code, 1)
    const { results } = await admin(world, 'retry', 'exports.prepare')
    assert.deepEqual((results[0] as { retried: string[] }).retried.toSorted(), ids.toSorted())
    await app.work()
    for (const person of [alice, bob]) assert.equal((await person.dataExports.list()).items[0]?.state, 'ready')
    for (const wrong of [['retry'], ['retry', 'exports.nothing'], ['stop', 'exports.prepare'], ['stop']])
      assert.equal((await admin(world, ...wrong)).code, 2, wrong.join(' '))
  })

  it('leaves alone what a process works on', async (world) => {
    const { alice, db, dependencies } = world
    const { id } = await alice.dataExports.request()
    await tryExports(world, 1)
    const leasedUntil = new Date(dependencies.clock.now() + 30_000).toISOString()
    await db.updateTable('job').set({ leasedUntil }).where('key', '=', id).execute()
    const { running, failing } = (await reportsOf(world)).get('exports.prepare')!
    assert.deepEqual([running, failing], [1, 1])
    const { code, complaints } = await admin(world, 'retry', 'exports.prepare')
    assert.equal(code, 1)
    assert.match(complaints.join(), /runs just now/)
  })

  it('needs no more than the database: no declaration looks at the application for what waits', async (world) => {
    const { dependencies } = world
    const parts = new Proxy({}, { get: (_, name) => assert.fail(`asks for ${String(name)}`) }) as never
    for (const { wake } of jobsOf(dependencies, parts))
      if ('find' in wake) await wake.find({ now: new Date(dependencies.clock.now()).toISOString(), limit: 1 })
  })
})
