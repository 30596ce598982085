// The figures of the authorization server: `node bench/oauth.ts`. CPU is that of a server of its own, called over HTTP.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { openDatabase } from '../src/database/open.ts'
import { openDependencies } from '../src/start/open-dependencies.ts'
import { type Both, figure, figures } from './parts/figures.ts'
import { addRows } from './parts/filling.ts'
import { load, type RunningServer, startServer } from './parts/load.ts'
import { each } from './parts/made-up.ts'
import { offer, unansweredShare } from './parts/offered.ts'
import { engine, rowsOr } from './parts/options.ts'
import { inPlaces, type MakePlace, type Place } from './parts/places.ts'
import { against, cheapest, perCpuSecond, Slices } from './parts/slices.ts'

const PORT = 3190
const CLIENT = 'monoagent'
const EXPIRED_ROWS = rowsOr(1_000_000)
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
    return (await load(server, { connections: 8, requests, seconds: 2 })).cost
  }
  // Both warm, then in pairs: a shared machine is not equally fast from one second to the next.
  const taken: Record<'anonymous' | 'bearer', Both[]> = { anonymous: [], bearer: [] }
  for (let n = 0; n < 12; n++) {
    // A cookie that means nothing keeps the answer from being one that is ready.
    taken.anonymous.push(await microseconds({ Cookie: 'theme=dark' }))
    taken.bearer.push(await microseconds({ Authorization: `Bearer ${access_token}` }))
  }
  const [bearer, anonymous] = [cheapest(taken.bearer), cheapest(taken.anonymous)]
  const percent = (by: keyof Both) => (bearer[by] / anonymous[by] - 1) * 100
  const added = { server: percent('server'), all: percent('all') }
  figures('what an opaque token adds to a page of the feed', added, '% CPU', { sqlite: { atMost: 15 } })
}

/** Chains of refreshes side by side, as many grants refresh in use; CPU microseconds of one. */
async function refreshCost({ server, send, chains }: Refreshing, resource?: string): Promise<Both> {
  const slices = new Slices(server)
  for (let slice = 0; slice < 16; slice++) {
    await Promise.all(
      chains.map(async (chain) => {
        for (let n = 0; n < 10; n++) Object.assign(chain, await refresh(send, chain.refresh_token, resource))
      }),
    )
    slices.end(chains.length * 10)
  }
  return slices.cost()
}

interface Refreshing {
  server: RunningServer
  send: Send
  chains: Tokens[]
}

const jwtOf = ({ server }: Refreshing) => `${server.url}/api/monoagent`

async function chainsOn(server: RunningServer, { folder }: Place): Promise<Refreshing> {
  const refreshing: Refreshing = { server, send: overHttp(server.url), chains: [] }
  const { send, chains } = refreshing
  while (chains.length < 8) chains.push(await member(send, join(folder, 'mail'), 'library:read offline_access'))
  await refreshCost(refreshing)
  return refreshing
}

/** On PostgreSQL the limit is what a server on SQLite does in the same run. */
async function refreshFigures(ours: Refreshing, onSqlite: Refreshing | undefined): Promise<void> {
  const measured: Record<'opaque' | 'jwt', Record<'ours' | 'limit', Both[]>> = {
    ...{ opaque: { ours: [], limit: [] }, jwt: { ours: [], limit: [] } },
  }
  for (let n = 0; n < 5; n++) {
    for (const [kind, taken] of Object.entries(measured)) {
      const resource = (of: Refreshing) => (kind === 'jwt' ? jwtOf(of) : undefined)
      taken.ours.push(await refreshCost(ours, resource(ours)))
      if (onSqlite) taken.limit.push(await refreshCost(onSqlite, resource(onSqlite)))
    }
  }
  for (const [kind, taken] of Object.entries(measured)) {
    figures(`refreshes, ${kind}`, perCpuSecond(taken.ours), 'a CPU-second', { sqlite: { atLeast: 600 } })
    if (onSqlite) figures(`refreshes, ${kind}, against SQLite`, against(taken.limit, taken.ours), 'x', { atLeast: 0.7 })
  }
}

const REFRESH_RATE = 100
const CHAINS = 32

/** The p99 of refreshes that are due a hundred times a second, in milliseconds; `tokens` are those of the chains, which go on. */
async function refreshLatency(tokens: string[]): Promise<{ p99: number; refused: number }> {
  const requests = [
    {
      ...{ method: 'POST', path: '/api/auth/oauth2/token', headers: { 'content-type': FORM } },
      body: `${refreshForm('')}{carried}`,
    },
  ]
  const offered = await offer({
    ...{ port: PORT, rate: REFRESH_RATE, seconds: 20, requests, connections: CHAINS, whenBusy: 'wait' },
    carry: { field: 'refresh_token', values: tokens },
  })
  tokens.splice(0, tokens.length, ...offered.carried)
  return { p99: offered.latency.p99, refused: unansweredShare(offered) }
}

/** Expired tokens of grants that are over, their hashes in no order, as years of use leave them. */
async function addExpired(url: string, rows: number): Promise<void> {
  const { db } = await openDatabase(url)
  const { id } = await db.selectFrom('user').select('id').executeTakeFirstOrThrow()
  await db.destroy()
  const perGrant = 20
  const then = '2020-01-01T00:00:00.000Z'
  const common = { userId: id, clientId: CLIENT, scope: 'library:read', createdAt: then }
  const grant = (index: number) => ({ id: `expired-${index}`, ...common, lastUsedAt: then, expiresAt: then })
  const payload = '{"kind":"RefreshToken","gty":"agent_claim refresh_token","rotations":1}'
  const token = (index: number) => ({
    ...{ hash: createHash('sha256').update(`expired ${index}`).digest('base64url'), ...common },
    ...(index % 2 ? { kind: 'access', payload: null } : { kind: 'refresh', payload }),
    ...{ grantId: `expired-${Math.floor(index / perGrant)}` },
    expiresAt: `2020-01-${String(1 + (index % 28)).padStart(2, '0')}T00:00:00.000Z`,
  })
  await addRows(url, async (into) => {
    await into.add('grant', each(Math.ceil(rows / perGrant), grant))
    await into.add('oauthToken', each(rows, token))
  })
}

/** Expired rows that are still there. */
async function expiredLeft(url: string): Promise<number> {
  const { db } = await openDatabase(url)
  const { left } = await db
    .selectFrom('oauthToken')
    .select((e) => e.fn.countAll<number>().as('left'))
    .where('expiresAt', '<', '2021')
    .executeTakeFirstOrThrow()
  await db.destroy()
  return left
}

async function expiredFigures({ url, folder, environment }: Place): Promise<void> {
  const server = await startServer(['bench/parts/serve-clean-up.ts'], PORT, '/healthz', {
    ...{ ...environment, BASE_URL: `http://127.0.0.1:${PORT}`, RATE_LIMITS: 'off', LOG_LEVEL: 'error' },
  })
  const tokens: string[] = []
  while (tokens.length < CHAINS) {
    const made = await member(overHttp(server.url), join(folder, 'mail'), 'library:read offline_access')
    tokens.push(made.refresh_token)
  }
  await refreshLatency(tokens)
  const empty = await refreshLatency(tokens)
  await addExpired(url, EXPIRED_ROWS)
  await refreshLatency(tokens)
  const full = await refreshLatency(tokens)
  process.kill(server.pid, 'SIGUSR2')
  const removing = await refreshLatency(tokens)
  const removed = EXPIRED_ROWS - (await expiredLeft(url))
  await server.stop()
  const refused = Math.max(...[empty, full, removing].map((each) => each.refused))
  figure('p99 of a refresh, nothing expired', empty.p99, 'ms')
  figure(`p99 with ${EXPIRED_ROWS} expired rows, against that`, full.p99 / empty.p99, 'x', { atMost: 1.5 })
  figure(`p99 while they are removed (${removed} were), against that`, removing.p99 / empty.p99, 'x', { atMost: 1.5 })
  figure('refreshes that were refused', refused, 'of all', { atMost: 0 })
}

/** A lost answer given again, in this process: over HTTP most of it would be the request. What asks is counted, too. */
async function replayFigure({ folder, environment }: Place): Promise<void> {
  const baseUrl = `http://localhost:${PORT}`
  const dependencies = await openDependencies(
    readConfig({ ...environment, BASE_URL: baseUrl, RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }),
  )
  const app = createApp(dependencies)
  dependencies.outbox.onMail(() => void dependencies.outbox.flush())
  const send: Send = async (path, call = {}) => {
    const response = await app.fetch(new Request(`${baseUrl}${path}`, call))
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as never
  }
  const chain = await member(send, join(folder, 'mail'), 'library:read offline_access')
  const body = refreshForm(chain.refresh_token)
  const call: Call = { method: 'POST', headers: { 'Content-Type': FORM, 'Content-Length': String(body.length) }, body }
  const count = 2_000
  const rounds: Both[] = []
  for (let round = 0; round < 6; round++) {
    const slices = new Slices()
    for (let n = 1; n <= count; n++) {
      await send('/api/auth/oauth2/token', call)
      if (n % 200 === 0) slices.end(200)
    }
    if (round > 0) rounds.push(slices.cost())
  }
  figures('replayed answers', perCpuSecond(rounds), 'a CPU-second', { sqlite: { atLeast: 8_000 } })
  await dependencies.close()
}

async function overHttpFigures(make: MakePlace): Promise<void> {
  const place = await make('oauth')
  const start = (port: number, { environment }: Place) =>
    startServer(['src/main.ts'], port, '/healthz', {
      ...{ ...environment, BASE_URL: `http://127.0.0.1:${port}`, RATE_LIMITS: 'off', LOG_LEVEL: 'error' },
    })
  const server = await start(PORT, place)
  await bearerFigure(server, overHttp(server.url), join(place.folder, 'mail'))
  const other = engine === 'postgres' ? await make('oauth-on-sqlite', 'sqlite') : undefined
  const otherServer = other && (await start(PORT + 1, other))
  await refreshFigures(await chainsOn(server, place), other && otherServer && (await chainsOn(otherServer, other)))
  for (const running of [server, otherServer]) await running?.stop()
}

await inPlaces(async (make) => {
  await overHttpFigures(make)
  await replayFigure(await make('oauth-replay'))
  await expiredFigures(await make('oauth-expired'))
})
process.exit()
