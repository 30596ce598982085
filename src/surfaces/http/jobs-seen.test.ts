// Jobs in /metrics and in the details of /readyz.
import assert from 'node:assert/strict'
import { BASE_URL, onEveryEngine, type World } from '../../../test/world.ts'

const ask = async ({ app }: World, path: string) => {
  const answer = await app.operatorFetch(new Request(`${BASE_URL}${path}`))
  return { status: answer.status, text: await answer.text() }
}

/** The figure of a kind. */
async function figure(world: World, name: string, labels: string): Promise<number> {
  const { text } = await ask(world, '/metrics')
  const line = text.split('\n').find((one) => one.startsWith(`guildhall_jobs_${name}{${labels}} `))
  assert.ok(line, `${name} ${labels}`)
  return Number(line.split(' ')[1])
}

const exports = 'kind="exports.prepare"'

const breakDisk = ({ dependencies }: World) => {
  const { artifacts } = dependencies.blobs
  const { stage } = artifacts
  artifacts.stage = () => Promise.reject(new Error('no room'))
  return () => {
    artifacts.stage = stage
  }
}

onEveryEngine('jobs', (it) => {
  it('have figures of every kind from the start, all at 0 but what is due', async (world) => {
    const { text } = await ask(world, '/metrics')
    for (const { kind } of world.app.jobs.jobs) {
      for (const name of ['waiting', 'oldest_seconds', 'failing', 'given_up'])
        assert.match(text, new RegExp(`^guildhall_jobs_${name}\\{kind="${kind}"\\} \\d`, 'm'))
      for (const outcome of ['done', 'failed', 'given_up'])
        assert.ok(text.includes(`guildhall_jobs_total{kind="${kind}",outcome="${outcome}"} 0\n`), `${kind} ${outcome}`)
    }
    assert.match(text, /^guildhall_work_running 0$/m)
  })

  it('are counted as they wait, fail, are given up and succeed, and /readyz names them without being less ready', async (world) => {
    const { alice, app, clock } = world
    assert.match((await ask(world, '/readyz')).text, /^ready\n(.*\n)*jobs: ok\n/)
    await alice.dataExports.request()
    clock.pass(30)
    assert.equal(await figure(world, 'waiting', exports), 1)
    const age = await figure(world, 'oldest_seconds', exports)
    assert.ok(age >= 30 && age < 60, String(age))
    const mend = breakDisk(world)
    await assert.rejects(app.work(), /no room/)
    assert.equal(await figure(world, 'failing', exports), 1)
    assert.equal(await figure(world, 'total', `${exports},outcome="failed"`), 1)
    assert.match((await ask(world, '/readyz')).text, /^jobs: ok$/m, 'one attempt may fail')
    for (let n = 0; n < 2; n++) await assert.rejects(app.work(), /no room/)
    assert.deepEqual([await figure(world, 'waiting', exports), await figure(world, 'failing', exports)], [0, 0])
    assert.equal(await figure(world, 'given_up', exports), 1)
    assert.equal(await figure(world, 'total', `${exports},outcome="given_up"`), 1)
    const { status, text } = await ask(world, '/readyz')
    assert.equal(status, 200)
    assert.match(text, /^ready\n(.*\n)*jobs: exports\.prepare \(1 given up\)\n/)
    mend()
    clock.pass(601)
    await alice.accounts.signIn({ email: alice.email, password: 'alice has a password' })
    await alice.dataExports.request()
    await app.work()
    assert.equal(await figure(world, 'total', `${exports},outcome="done"`), 1)
  })

  it('that fail again and again are named by /readyz, those whose cause is gone are not', async (world) => {
    const { db, alice } = world
    const { id } = await alice.dataExports.request()
    const row = {
      kind: 'exports.prepare',
      runAt: '',
      cursor: '',
      leasedUntil: '',
      error: 'x',
      failedAt: null,
      doneAt: null,
    }
    await db
      .insertInto('job')
      .values(['gone', id].map((key) => ({ ...row, key, attempts: 5 })))
      .execute()
    assert.match((await ask(world, '/readyz')).text, /^jobs: ok$/m)
    await db.updateTable('job').set({ attempts: 6 }).where('kind', '=', 'exports.prepare').execute()
    assert.match((await ask(world, '/readyz')).text, /^jobs: exports\.prepare \(1 failing\)$/m)
  })
})
