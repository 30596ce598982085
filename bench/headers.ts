// What the headers of every response cost: in the object a response is made of, as we do it, and set by Hono's secureHeaders and cors.
import './parts/either-engine.ts'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { type RequestIdVariables, requestId } from 'hono/request-id'
import { secureHeaders } from 'hono/secure-headers'
import { newId } from '../src/runtime/ids.ts'
import { openHeaders } from '../src/surfaces/http/response.ts'
import { figure } from './parts/figures.ts'
import { median } from './parts/median.ts'
import { words } from './parts/options.ts'

const CLIENTS = 16
const WARM_UP = 4_000
const REQUESTS = 12_000

const body = 'x'.repeat(8_000)
const own = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }
const without = [
  'crossOriginResourcePolicy',
  'crossOriginOpenerPolicy',
  'originAgentCluster',
  'strictTransportSecurity',
]
const either = ['xDnsPrefetchControl', 'xDownloadOptions', 'xPermittedCrossDomainPolicies', 'xXssProtection']

function appOf(kind: string): Hono<{ Variables: RequestIdVariables }> {
  const app = new Hono<{ Variables: RequestIdVariables }>()
  app.use(requestId({ generator: newId, headerName: '' }))
  if (kind === 'hono') {
    app.use(
      secureHeaders({
        ...Object.fromEntries([...without, ...either].map((name) => [name, false])),
        referrerPolicy: 'strict-origin-when-cross-origin',
        xFrameOptions: 'DENY',
        contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      }),
    )
    app.use(cors({ exposeHeaders: [openHeaders['Access-Control-Expose-Headers'] ?? ''] }))
  }
  const common = kind === 'hono' ? { Vary: 'Cookie, Authorization' } : openHeaders
  app.all(
    '/feed',
    ({ var: { requestId: id } }) => new Response(body, { headers: { ...common, ...own, 'X-Request-Id': id } }),
  )
  app.all('*', () => new Response())
  return app
}

function serve(kind: string): void {
  const server = createServer(getRequestListener(appOf(kind).fetch))
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
  let before = process.cpuUsage()
  process.on('message', () => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    process.send?.(user + system)
  })
}

/** CPU of the server for one request, in microseconds. */
async function measure(kind: string): Promise<number> {
  const server = fork(import.meta.filename, [kind])
  const [port] = await once(server, 'message')
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const get = () =>
    new Promise((done) =>
      request({ port, path: '/feed', agent }, (response) => response.resume().once('end', done)).end(),
    )
  const load = async (count: number) => {
    let left = count
    const client = async () => {
      while (left-- > 0) await get()
    }
    await Promise.all(Array.from({ length: CLIENTS }, client))
  }
  const spent = async () => {
    server.send('spent')
    return (await once(server, 'message'))[0] as number
  }
  await load(WARM_UP)
  await spent()
  await load(REQUESTS)
  const microseconds = (await spent()) / REQUESTS
  server.kill()
  agent.destroy()
  return microseconds
}

const [kind] = words
if (kind) serve(kind)
else {
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let round = 0; round < 3; round++) {
    ours.push(await measure('ours'))
    theirs.push(await measure('hono'))
  }
  figure('a response with our table of headers, CPU', median(ours), 'us')
  figure('the same with secureHeaders and cors of Hono, CPU', median(theirs), 'us')
  figure('the one against the other', median(ours) / median(theirs), 'x', { atMost: 0.8 })
}
