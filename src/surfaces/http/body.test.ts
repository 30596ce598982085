// Bodies whose sender goes away half-way.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { onEveryEngine } from '../../../test/world.ts'
import { createNodeServer } from './listen.ts'

const json = 'Content-Type: application/json\r\n'
const cut = {
  'a call': ['/api/auth/sign-up/email', `${json}Content-Length: 900\r\n`, '{"name":'],
  'a call in chunks': ['/api/auth/sign-up/email', `${json}Transfer-Encoding: chunked\r\n`, '200\r\n{"name":'],
  'a call of a tool': [
    '/api/mcp',
    `${json}Accept: application/json, text/event-stream\r\nContent-Length: 500\r\n`,
    '{"jsonrpc":"2.0"',
  ],
  'a form for a token': [
    '/api/auth/oauth2/token',
    'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 500\r\n',
    'grant_type=',
  ],
} as const

onEveryEngine('a body that is cut off', (it) => {
  for (const [what, [path, headers, start]] of Object.entries(cut)) {
    it(`is bad and no fault of ours: ${what}`, async ({ app, dependencies, changes }) => {
      const answered = Promise.withResolvers<number>()
      const observe = (_: string, status: number) => {
        answered.resolve(status)
        app.observe(_, status)
      }
      const server = createNodeServer({ app: app.fetch, config: dependencies.config, changes, observe })
      const faults: unknown[] = []
      dependencies.log.error = (...said: unknown[]) => void faults.push(said)
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      try {
        const arrived = once(server, 'request')
        const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
        socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n${start}`)
        await arrived
        await setTimeout(100)
        socket.destroy()
        // The authorization server's endpoints are counted elsewhere.
        if (path.includes('oauth2')) await setTimeout(300)
        else assert.equal(await answered.promise, 400)
        assert.deepEqual(faults, [])
      } finally {
        server.close()
        server.closeAllConnections()
      }
    })
  }
})
