// Servers that share PostgreSQL are replaced one after another, behind a proxy that goes by /readyz: no request is refused.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newSigningKey } from '../src/oauth/server/server.ts'
import { Balancer } from './balancer.ts'
import { onPostgres } from './databases.ts'
import { startServer, withFolder } from './server.ts'

async function memberOf(balancer: Balancer): Promise<{ headers: Record<string, string> }> {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ name: 'ada', email: 'ada@example.com', password: 'a long enough password' })
  const signedUp = await balancer.fetch('/api/auth/sign-up/email', { method: 'POST', headers, body })
  assert.equal(signedUp.status, 200)
  return { headers: { ...headers, Cookie: signedUp.headers.getSetCookie()[0]!.split(';')[0]! } }
}

onPostgres('servers that are replaced one after another', (postgresDatabase) => {
  it('refuse no read and no write', () =>
    withFolder(async (DATA_DIR) => {
      const database = await postgresDatabase()
      const SIGNING_KEY = JSON.stringify(newSigningKey())
      const start = () => startServer({ DATA_DIR, SIGNING_KEY, DATABASE_URL: database.url, DRAIN_SECONDS: '3' })
      const balancer = new Balancer()
      const servers = [await start(), await start()]
      try {
        for (const server of servers) balancer.add(server)
        const { headers } = await memberOf(balancer)
        const statuses = new Map<string, number>()
        let written = 0
        let isOver = false
        const client = async (number: number) => {
          for (let n = 0; !isOver; n++) {
            const write = { title: `${number} ${n}`, body: 'Written during a deployment' }
            const init = n % 3 === 0 ? { method: 'POST', headers, body: JSON.stringify(write) } : { headers }
            const { status } = await balancer.fetch('/api/community/posts', init)
            if (status === 201) written++
            const key = `${init.method ?? 'GET'} ${status}`
            statuses.set(key, (statuses.get(key) ?? 0) + 1)
            await sleep(10)
          }
        }
        const clients = Promise.all([0, 1, 2, 3].map(client))
        for (const old of servers.splice(0)) {
          servers.push(await start())
          balancer.add(servers.at(-1)!)
          assert.equal(await old.end('SIGTERM'), 0)
          balancer.remove(old)
        }
        isOver = true
        await clients
        assert.deepEqual([...statuses.keys()].sort(), ['GET 200', 'POST 201'])
        assert.deepEqual(balancer.gaps, [])
        const { count } = await database.db
          .selectFrom('post')
          .select(({ fn }) => fn.countAll().as('count'))
          .executeTakeFirstOrThrow()
        assert.equal(Number(count), written)
      } finally {
        balancer.close()
        await Promise.all(servers.map((server) => server.end('SIGKILL')))
        await database.remove()
      }
    }))
})
