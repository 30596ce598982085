// What members wait for with many votes in a PostgreSQL database, against one with few: 99 of 100 votes, pages of the feed, lists and inboxes.
// `--rows 100000000` sets how many votes; there are a tenth as many members. Both databases have a million bugs, entries of the feed, comments
// and notifications. The databases stay until the measurement is done, so that one that was interrupted goes on; KEEP=1 keeps them after it.
import pg from 'pg'
import { figure } from './parts/figures.ts'
import { cookieOf, SESSIONS } from './parts/fill-accounts.ts'
import { bugId } from './parts/fill-bugs.ts'
import { fillVotes, sizeOf } from './parts/fill-votes.ts'
import { type RunningServer, startServer } from './parts/load.ts'
import { random } from './parts/made-up.ts'
import { engine, rowsOr } from './parts/options.ts'
import { inPlaces, keptDatabase, removeDatabase } from './parts/places.ts'

const PORT = 4191
const LARGE = rowsOr(10_000_000)
const SMALL = Math.min(1_000_000, LARGE / 10)
const WARM_UP = 50
const TURNS = Number(process.env['TURNS'] ?? 1_000)
const LIMIT = 2
const COMMUNITY = '/api/community'

interface Asked {
  method?: string
  path: string
  body?: string
}

/** In this order each turn: a vote changes what the server keeps, so the others are made for this request. */
const operations: Record<string, (turn: number, things: number) => Asked> = {
  vote: (turn, things) => ({
    method: 'POST',
    path: `${COMMUNITY}/bugs/${bugId(things - 1 - random(turn * 5 + 1, turn % 2 ? things : things / 100))}/vote`,
    body: JSON.stringify({ value: random(turn, 2) === 0 ? 1 : -1 }),
  }),
  'feed page': () => ({ path: `${COMMUNITY}/feed` }),
  'list of bugs, by votes': () => ({ path: `${COMMUNITY}/bugs?sort=popular` }),
  inbox: () => ({ path: `${COMMUNITY}/notifications` }),
}

/** Milliseconds of one request of a member. */
async function time({ url }: RunningServer, { path, ...init }: Asked, member: number): Promise<number> {
  const headers = { cookie: cookieOf(member), 'content-type': 'application/json' }
  const began = performance.now()
  const answer = await fetch(url + path, { ...init, headers })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
  return performance.now() - began
}

const at = (share: number, values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? Number.NaN

/** Asks both servers the same, one right after the other: what else the machine does is the same for both. */
async function measure(servers: readonly RunningServer[], things: number): Promise<void> {
  const taken = new Map(Object.keys(operations).map((name) => [name, servers.map((): number[] => [])]))
  for (let turn = -WARM_UP; turn < TURNS; turn++) {
    const order = turn % 2 === 0 ? [0, 1] : [1, 0]
    for (const [name, ask] of Object.entries(operations)) {
      for (const which of order) {
        const member = random(turn * 3 + name.length, SESSIONS)
        const milliseconds = await time(servers[which]!, ask(turn + WARM_UP, things), member)
        if (turn >= 0) taken.get(name)![which]!.push(milliseconds)
      }
    }
  }
  for (const [name, [few = [], many = []]] of taken) {
    const shown = [0.5, 0.99].map((share) => `${at(share, few).toFixed(1)} and ${at(share, many).toFixed(1)}`)
    console.log(`  ${name}, in ms with few votes and with many: p50 ${shown[0]}; p99 ${shown[1]}`)
    figure(`${name}: p99 at ${LARGE} votes, against ${SMALL}`, at(0.99, many) / at(0.99, few), 'x', { atMost: LIMIT })
  }
}

/** Bytes of a vote, and of a member, with their indexes. */
async function weigh(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const [table, name] of [
    ['vote', 'a vote'],
    ['user', 'a member'],
  ]) {
    const { rows } = await client.query<Record<'all' | 'own', number>>(
      `select pg_total_relation_size($1)::float8 / count(*) as "all", pg_relation_size($1)::float8 / count(*) as own from "${table}"`,
      [`"${table}"`],
    )
    for (const { all, own } of rows) {
      figure(`${name} with its indexes`, all, 'bytes')
      figure('  without them', own, 'bytes')
    }
  }
  await client.end()
}

if (engine === 'postgres') {
  await inPlaces(async (make) => {
    const servers: RunningServer[] = []
    const names: string[] = []
    const { things } = sizeOf(LARGE)
    for (const [index, votes] of [SMALL, LARGE].entries()) {
      const { environment } = await make(`votes-${index}`)
      const { name, url } = await keptDatabase(`votes_${votes}`)
      names.push(name)
      await fillVotes(url, { ...sizeOf(votes), things }, (sentence) => console.log(`  ${votes} votes: ${sentence}`))
      if (votes === LARGE) await weigh(url)
      const settings = { ...environment, DATABASE_URL: url, LOG_LEVEL: 'error', RATE_LIMITS: 'off' }
      servers.push(await startServer(['src/main.ts'], PORT + index, '/healthz', settings))
    }
    await measure(servers, things)
    for (const server of servers) await server.stop()
    if (process.env['KEEP'] !== '1') for (const name of names) await removeDatabase(name)
  })
} else console.log('  is measured on PostgreSQL')
