// WORKERS: several processes behind one port, as an operator starts and stops them.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { onEngines } from './databases.ts'
import { type Environment, startServer, withData } from './server.ts'

const WORKERS = '2'
const PATIENCE_MILLISECONDS = 30_000

/** The processes that `pid` started. */
const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

async function until(is: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = performance.now() + PATIENCE_MILLISECONDS; !(await is()); await sleep(50)) {
    assert.ok(performance.now() < end, what)
  }
}

describe('WORKERS', { skip: process.platform === 'linux' ? false : 'reads /proc' }, () => {
  onEngines('with two processes', (make) => {
    it('both share sessions and the port, one that crashed is replaced, and a signal ends all', () =>
      withData(async (DATA_DIR) => {
        const database = await make()
        const DATABASE_URL = database.url.startsWith('postgres') ? { DATABASE_URL: database.url } : {}
        const server = await startServer({ DATA_DIR, WORKERS, ...(DATABASE_URL as Environment) })
        try {
          const pid = server.process.pid!
          await until(() => childrenOf(pid).length === 2, 'both processes run')
          const ask = (path: string, init: RequestInit = {}) =>
            // Each request has a connection of its own, and connections go round the processes.
            fetch(`${server.url}${path}`, { ...init, headers: { ...init.headers, Connection: 'close' } })
          const signedUp = await ask('/api/auth/sign-up/email', {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ name: 'ada', email: 'ada@example.com', password: 'a long enough password' }),
          })
          assert.equal(signedUp.status, 200)
          const Cookie = signedUp.headers.getSetCookie()[0]!.split(';')[0]!
          for (let n = 0; n < 6; n++)
            assert.equal((await ask('/api/account/sessions', { headers: { Cookie } })).status, 200)
          // A process that lives for less than ten seconds counts as one that cannot start.
          await sleep(10_500)
          const [victim] = childrenOf(pid)
          process.kill(victim!, 'SIGKILL')
          await until(() => childrenOf(pid).length === 2 && !childrenOf(pid).includes(victim!), 'it is replaced')
          await until(async () => (await ask('/readyz').catch(() => undefined))?.status === 200, 'it serves')
          const pids = childrenOf(pid)
          assert.equal(await server.end('SIGTERM'), 0)
          for (const one of pids) assert.throws(() => process.kill(one, 0), 'no process is left')
        } finally {
          await server.end('SIGKILL')
          await database.remove()
        }
      }))
  })

  it('a server that is told to stop still answers for DRAIN_SECONDS, and says at /readyz that it stops', () =>
    withData(async (DATA_DIR) => {
      const server = await startServer({ DATA_DIR, DRAIN_SECONDS: '3' })
      const ended = server.end('SIGTERM')
      await until(async () => (await fetch(`${server.url}/readyz`)).status === 503, '/readyz says so')
      assert.equal((await fetch(`${server.url}/api/community/feed`)).status, 200)
      assert.equal(await ended, 0)
      await assert.rejects(fetch(`${server.url}/healthz`))
    }))

  it('end with an error when they cannot start', () =>
    withData(async (DATA_DIR) => {
      const DATABASE_URL = 'postgres://guild@127.0.0.1:1/guild'
      await assert.rejects(startServer({ DATA_DIR, WORKERS, DATABASE_URL }), /ended with 1.*cannot open its database/s)
    }))
})
