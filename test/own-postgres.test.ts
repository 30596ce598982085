// `npm test` brings its own PostgreSQL where the programs are installed: it is there for the tests, and gone after them, however they end.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { programs } from './postgres-programs.ts'
import { plainEnvironment } from './server.ts'
import { temporaryDirectory } from './temporary.ts'

const PATIENCE_MILLISECONDS = 60_000
const said = /at (postgres:\S+)/

/** Until the run is gone. */
const WAITING = 'const { ppid } = process; setInterval(() => process.ppid === ppid || process.exit(), 50)'

/** A run of a test file that says where PostgreSQL is, and then does this. */
async function begin(t: TestContext, then: string, environment: Record<string, string> = {}) {
  const folder = await temporaryDirectory(t)
  // The user who runs PostgreSQL instead of root gets to its folder.
  chmodSync(folder, 0o711)
  const path = join(folder, 'one.test.ts')
  writeFileSync(path, `console.log('at ' + process.env['TEST_POSTGRES_URL'])\n${then}\n`)
  const env = { ...plainEnvironment, TMPDIR: folder, ...environment }
  const run = spawn(process.execPath, ['test/run.ts', 'server', path], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  run.stdout.on('data', (chunk) => {
    output += chunk
  })
  t.after(() => run.kill('SIGKILL'))
  return { run, folder, output: () => output }
}

async function until(is: () => boolean | Promise<boolean>, what: () => string): Promise<void> {
  for (const end = performance.now() + PATIENCE_MILLISECONDS; !(await is()); await setTimeout(50)) {
    assert.ok(performance.now() < end, what())
  }
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  const isThere = await client.connect().then(
    () => true,
    () => false,
  )
  await client.end().catch(() => {})
  return isThere
}

const left = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('guildhall-postgres-'))

async function endOf(run: ChildProcess): Promise<unknown> {
  if (run.exitCode === null && run.signalCode === null) await once(run, 'close')
  return run.exitCode
}

describe('a run of tests', () => {
  const skip = programs ? false : 'needs the programs of PostgreSQL'

  it('has a PostgreSQL of its own until it ends, also when tests fail', { skip }, async (t) => {
    for (const [then, code] of [
      ['', 0],
      ["throw new Error('Broken')", 1],
    ] as const) {
      const { run, folder, output } = await begin(t, then)
      assert.equal(await endOf(run), code, output())
      const url = said.exec(output())?.[1] ?? ''
      assert.match(url, /^postgres:\/\/postgres:\w+@127\.0\.0\.1:\d+\/postgres$/)
      assert.equal(await answers(url), false)
      assert.deepEqual(left(folder), [])
      assert.doesNotMatch(output(), /^Not tested:/m)
    }
  })

  it('stops it when it is interrupted, and when it is killed', { skip }, async (t) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
      const { run, folder, output } = await begin(t, WAITING)
      await until(() => said.test(output()), output)
      const url = said.exec(output())?.[1] ?? ''
      assert.equal(await answers(url), true)
      run.kill(signal)
      await endOf(run)
      await until(
        async () => !(await answers(url)),
        () => `${signal} leaves PostgreSQL running`,
      )
      if (signal !== 'SIGKILL') assert.deepEqual(left(folder), [], signal)
    }
  })

  it('says in one line that there is none, and leaves it out where that is wanted', async (t) => {
    const { run, folder, output } = await begin(t, '', {
      TEST_POSTGRES: 'off',
      TEST_POSTGRES_URL: 'postgres://nowhere',
    })
    assert.equal(await endOf(run), 0, output())
    assert.match(output(), /at undefined/)
    assert.match(output(), /^Not tested: what runs on PostgreSQL, because TEST_POSTGRES is off\.$/m)
    assert.deepEqual(left(folder), [])
    assert.ok(existsSync(folder))
  })
})
