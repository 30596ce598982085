// The figures of the authorization server: `node bench/oauth.ts`. CPU is that of a server of its own, called over HTTP.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import type { Db } from '../src/database/schema.ts'
import { openDependencies } from '../src/start/open-dependencies.ts'
import { figure, median } from './figures.ts'
import { cpuSeconds, load, type RunningServer, startServer } from './load.ts'

const PORT = 3190
const CLIENT = 'monoagent'
const EXPIRED_ROWS = Number(process.env['BENCH_EXPIRED_ROWS'] ?? 1_000_000)
const FORM = 'application/x-www-form-urlencoded'

interface Call {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** Calls a path of Guildhall and returns the parsed response; the creator decides how. */
type Send = <T>(path: string, call?: Call) => Promise<T>

interface Tokens {
  access_token: string
  refresh_token: string
}

const agent = new Agent({ keepAlive: true })

const overHttp =
  (url: string): Send =>
  (path, { method = 'GET', headers = {}, body = '' } = {}) =>
    new Promise((resolve, reject) => {
      const length = method === 'GET' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
      const sent = request(`${url}${path}`, { method, agent, headers: { ...headers, ...length } }, (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => {
          text += chunk
        })
        answer.on('end', () => {
          if (answer.statusCode! < 300) resolve(JSON.parse(text))
          else reject(new Error(`${path}: ${answer.statusCode} ${text}`))
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })

const postJson = (body: unknown, headers: Record<string, string> = {}): Call => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

/** The code for an agent in the mail folder for an address; the mail of the sign-up holds another code. */
async function mailedCode(mailFolder: string, email: string): Promise<string> {
  for (;;) {
    for (const name of (await readdir(mailFolder).catch(() => [])).filter((file) => file.endsWith('.eml'))) {
      const mail = await readFile(join(mailFolder, name), 'utf8')
      const code =
        mail.includes(`To: ${email}`) && mail.includes('Subject: Code for your agent') && mail.match(/^\d{6}$/m)
      if (code) return code[0]
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** A new account with a sign-in by emailed code, as an agent without a browser makes it. */
async function member(send: Send, mailFolder: string, scope: string): Promise<Tokens> {
  const email = `${crypto.randomUUID()}@example.com`
  await send('/api/auth/sign-up/email', postJson({ name: 'Bench', email, password: 'correct horse battery' }))
  await send('/api/auth/agent/claim', postJson({ email, client_id: CLIENT, scope }))
  const code = await mailedCode(mailFolder, email)
  return send('/api/auth/agent/claim/verify', postJson({ email, client_id: CLIENT, code }))
}

const refreshForm = (refresh_token: string, resource?: string) =>
  new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: CLIENT,
    refresh_token,
    ...(resource && { resource }),
  }).toString()

const refresh = (send: Send, token: string, resource?: string): Promise<Tokens> =>
  send('/api/auth/oauth2/token', {
    method: 'POST',
    headers: { 'Content-Type': FORM },
    body: refreshForm(token, resource),
  })

/** The same page of the feed, anonymously and with a token without the scope for it: the same work except for the token. */
async function bearerFigure(server: RunningServer, send: Send, mailFolder: string): Promise<void> {
  const writer = await member(send, mailFolder, 'community:write')
  for (let n = 0; n < 40; n++) {
    const bug = { title: `Bug ${n}`, description: 'Something is broken, and this says what and where', severity: 'low' }
    await send('/api/community/bugs', postJson(bug, { Authorization: `Bearer ${writer.access_token}` }))
  }
  const { access_token } = await member(send, mailFolder, 'library:read')
  const microseconds = async (headers: Record<string, string>) => {
    const requests = [{ path: '/api/community/feed', headers }]
    return 1e6 / (await load(server, { connections: 8, requests, seconds: 2 })).perCpuSecond
  }
  // Both warm, then in pairs: a shared machine is not equally fast from one second to the next.
  const added: number[] = []
  for (let n = 0; n < 12; n++) {
    // A cookie that means nothing keeps the answer from being one that is ready.
    const stranger = await microseconds({ Cookie: 'theme=dark' })
    const bearer = await microseconds({ Authorization: `Bearer ${access_token}` })
    if (n >= 3) added.push((bearer / stranger - 1) * 100)
  }
  figure('what an opaque token adds to a page of the feed', median(added), '% CPU', { atMost: 15 })
}

/** Chains of refreshes side by side, as many sign-ins refresh in life. */
async function refreshRate({ pid }: RunningServer, send: Send, chains: Tokens[], resource?: string): Promise<number> {
  const rounds = 80
  const before = cpuSeconds(pid)
  await Promise.all(
    chains.map(async (chain) => {
      for (let n = 0; n < rounds; n++) Object.assign(chain, await refresh(send, chain.refresh_token, resource))
    }),
  )
  return (chains.length * rounds) / (cpuSeconds(pid) - before)
}

async function refreshFigures(server: RunningServer, send: Send, mailFolder: string): Promise<void> {
  const chains: Tokens[] = []
  while (chains.length < 8) chains.push(await member(send, mailFolder, 'library:read offline_access'))
  await refreshRate(server, send, chains)
  const opaque: number[] = []
  const jwt: number[] = []
  for (let n = 0; n < 5; n++) {
    opaque.push(await refreshRate(server, send, chains))
    jwt.push(await refreshRate(server, send, chains, `${server.url}/api/monoagent`))
  }
  figure('refreshes, opaque token', median(opaque), 'a CPU-second', { atLeast: 600 })
  figure('refreshes, JWT', median(jwt), 'a CPU-second', { atLeast: 600 })
}

const percentile = (values: number[], p: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * p))]!

/** How long single refreshes take, in milliseconds, one after the other at the pace of a busy server. */
async function latencies(send: Send, chains: Tokens[], count: number): Promise<number[]> {
  const taken: number[] = []
  for (let n = 0; n < count; n++) {
    const chain = chains[n % chains.length]!
    const started = performance.now()
    Object.assign(chain, await refresh(send, chain.refresh_token))
    taken.push(performance.now() - started)
    if (n % 4 === 0) await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return taken
}

/** Expired tokens of sign-ins that are over, their hashes in no order, as years of use leave them. */
async function insertExpired(db: Db, rows: number): Promise<void> {
  const { id } = await db.selectFrom('user').select('id').executeTakeFirstOrThrow()
  const perGrant = 20
  const then = '2020-01-01T00:00:00.000Z'
  await db.transaction().execute(async (transaction) => {
    await sql`insert into "grant" (id, "userId", "clientId", scope, "createdAt", "lastUsedAt", "expiresAt")
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(rows / perGrant)})
      select 'expired-' || i, ${id}, ${CLIENT}, 'library:read', ${then}, ${then}, ${then} from n`.execute(transaction)
    await sql`insert into "oauthToken" (hash, kind, "grantId", "userId", "clientId", scope, payload, "createdAt", "expiresAt")
      with recursive n(i) as (select 0 union all select i + 1 from n where i < ${sql.lit(rows - 1)})
      select hex(randomblob(21)), case when i % 2 then 'access' else 'refresh' end,
        'expired-' || (1 + i / ${sql.lit(perGrant)}), ${id}, ${CLIENT}, 'library:read',
        case when i % 2 then null else '{"kind":"RefreshToken","gty":"agent_claim refresh_token","rotations":1}' end,
        ${then}, '2020-01-' || printf('%02d', 1 + abs(random()) % 28) || 'T00:00:00.000Z' from n`.execute(transaction)
  })
}

/** A lost answer given again, in this process: over HTTP most of it would be the request. What asks is counted, too. */
async function replayFigure(call: (request: Request) => Response | Promise<Response>, chain: Tokens): Promise<void> {
  const body = refreshForm(chain.refresh_token)
  const headers = { 'Content-Type': FORM, 'Content-Length': String(body.length) }
  const url = `http://localhost:${PORT}/api/auth/oauth2/token`
  const replay = async () => (await call(new Request(url, { method: 'POST', headers, body }))).text()
  const count = 8_000
  const rates: number[] = []
  let last = ''
  for (let round = 0; round < 6; round++) {
    const before = process.cpuUsage()
    for (let n = 0; n < count; n++) last = await replay()
    const { user, system } = process.cpuUsage(before)
    if (round > 0) rates.push((count * 1e6) / (user + system))
  }
  figure('replayed answers', median(rates), 'a CPU-second', { atLeast: 8_000 })
  Object.assign(chain, JSON.parse(last))
}

/** In this process, so that the removal can be begun when it is to be measured. */
async function expiredFigures(folder: string): Promise<void> {
  const baseUrl = `http://localhost:${PORT}`
  const dependencies = await openDependencies(
    readConfig({ DATA_DIR: folder, BASE_URL: baseUrl, RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }),
  )
  const app = createApp(dependencies)
  dependencies.outbox.start()
  const send: Send = async (path, call = {}) => {
    const response = await app.fetch(new Request(`${baseUrl}${path}`, call))
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as never
  }
  const chains: Tokens[] = []
  while (chains.length < 4) chains.push(await member(send, join(folder, 'mail'), 'library:read offline_access'))
  await replayFigure(app.fetch, chains[0]!)
  const count = 4_000
  await latencies(send, chains, 1_000)
  const empty = percentile(await latencies(send, chains, count), 0.99)
  await insertExpired(dependencies.db, EXPIRED_ROWS)
  await latencies(send, chains, 500)
  const full = percentile(await latencies(send, chains, count), 0.99)
  const cleaning = app.cleanUp().catch(() => {})
  const removing = percentile(await latencies(send, chains, count), 0.99)
  const { left } = await dependencies.db
    .selectFrom('oauthToken')
    .select((e) => e.fn.countAll<number>().as('left'))
    .where('expiresAt', '<', '2021')
    .executeTakeFirstOrThrow()
  const limit = { atMost: 1.5 * empty }
  figure('p99 of a refresh, nothing expired', empty, 'ms')
  figure(`p99 with ${EXPIRED_ROWS} expired rows`, full, 'ms', limit)
  figure(`p99 while they are removed (${EXPIRED_ROWS - left} were)`, removing, 'ms', limit)
  await dependencies.close()
  await cleaning
}

const inFolder = async (run: (folder: string) => Promise<void>) => {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-bench-'))
  try {
    await run(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** All figures, measured one after the other. */
export async function oauthFigures(): Promise<void> {
  await inFolder(async (folder) => {
    const env = { DATA_DIR: folder, BASE_URL: `http://127.0.0.1:${PORT}`, RATE_LIMITS: 'off', LOG_LEVEL: 'error' }
    const server = await startServer(['src/main.ts'], PORT, '/healthz', env)
    const send = overHttp(server.url)
    try {
      await bearerFigure(server, send, join(folder, 'mail'))
      await refreshFigures(server, send, join(folder, 'mail'))
    } finally {
      await server.stop()
    }
  })
  await inFolder(expiredFigures)
}

if (import.meta.main) {
  await oauthFigures()
  process.exit()
}
