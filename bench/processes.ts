// How many reads two and three processes on one PostgreSQL serve, against one, while members write, and what they take of memory and
// connections. Each process has a core of its own in use, so
// what is compared is the CPU of a read in one of two processes with that of a read in a process alone; both hear of every write.
import pg from 'pg'
import { residentMegabytes } from './parts/cpu.ts'
import { type Both, figure, figures, type Limits } from './parts/figures.ts'
import { cookie, cookieOf } from './parts/fill-accounts.ts'
import { bugId, fill } from './parts/fill-bugs.ts'
import { load, type RunningServer, startServer } from './parts/load.ts'
import { engine, rowsOr } from './parts/options.ts'
import { inPlaces } from './parts/places.ts'
import { cheapest } from './parts/slices.ts'

const ROUNDS = 5
const WRITES_A_SECOND = 20
const ENTRIES = rowsOr(100_000)

if (engine !== 'postgres') {
  console.log('  one process writes to SQLite: the figures are those of `npm run bench -- --engine postgres`')
  process.exit()
}

const reads = [
  { path: '/api/community/feed' },
  { path: '/api/community/bugs' },
  ...Array.from({ length: 6 }, (_, index) => ({ path: `/api/community/bugs/${bugId(index * 7)}` })),
  { path: '/api/community/feed', headers: { cookie } },
  { path: `/api/community/bugs/${bugId(11)}`, headers: { cookie } },
]

/** Votes on bugs that are read and on others, at each server in turn, until it is stopped. */
function beginWriting(servers: RunningServer[]): () => Promise<void> {
  const under = new Set<Promise<unknown>>()
  let sent = 0
  const clock = setInterval(() => {
    const { url } = servers[sent % servers.length]!
    const vote = fetch(`${url}/api/community/bugs/${bugId((sent * 7) % 1_000)}/vote`, {
      method: 'POST',
      headers: { cookie: cookieOf(sent % 50), 'content-type': 'application/json' },
      body: JSON.stringify({ value: sent % 3 === 0 ? -1 : 1 }),
    }).then((answer) => answer.text())
    sent += 1
    under.add(vote)
    void vote.finally(() => under.delete(vote))
  }, 1_000 / WRITES_A_SECOND)
  return async () => {
    clearInterval(clock)
    await Promise.all(under)
  }
}

/** CPU of a read at the first of these servers, while all of them are written to. */
async function costAt(servers: RunningServer[]): Promise<Both> {
  const stop = beginWriting(servers)
  try {
    return (await load(servers[0]!, { connections: 16, requests: reads, seconds: 4 })).cost
  } finally {
    await stop()
  }
}

async function connectionsTo(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const counted =
    'select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  const { rows } = await client.query<{ count: number }>(counted)
  await client.end()
  return rows[0]!.count
}

await inPlaces(async (make) => {
  const { url, environment } = await make('processes')
  await fill(url, { bugs: ENTRIES, votes: 0, users: 2_000 })
  const settings = { ...environment, RATE_LIMITS: 'off', LOG_LEVEL: 'error' }
  const servers: RunningServer[] = []
  for (const port of [4171, 4172, 4173]) servers.push(await startServer(['src/main.ts'], port, '/readyz', settings))
  const taken: Both[][] = servers.map(() => [])
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [others, costs] of taken.entries()) {
      const cost = await costAt(servers.slice(0, others + 1))
      if (round > 0) costs.push(cost)
    }
  }
  const [alone, ...beside] = taken.map(cheapest) as [Both, ...Both[]]
  figures('a read at one process', alone, 'us of CPU')
  for (const [index, cost] of beside.entries()) {
    const count = index + 2
    figures(`a read at one of ${count}`, cost, 'us of CPU')
    const times = { server: (count * alone.server) / cost.server, all: (count * alone.all) / cost.all }
    const limits: Limits = count === 2 ? { atLeast: 1.7 } : {}
    figures(`reads of ${count} processes with ${WRITES_A_SECOND} writes a second, against one`, times, 'x', limits)
  }
  figure('resident of the one that was read, after that', residentMegabytes(servers[0]!.pid), 'MB')
  figure('connections of all three', await connectionsTo(url), '')
  for (const server of servers) await server.stop()
})
