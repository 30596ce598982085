// What stays resident when ten minutes of load, and the notifications that it brought, are done: reads by members and anonymous users, pages
// of the site, searches, votes and comments.
import { cpuNow, residentMegabytes } from './parts/cpu.ts'
import { figure } from './parts/figures.ts'
import { cookieOf, SESSIONS } from './parts/fill-accounts.ts'
import { bugId, fill } from './parts/fill-bugs.ts'
import { load, startServer } from './parts/load.ts'
import { rowsOr } from './parts/options.ts'
import { inPlaces } from './parts/places.ts'

const PORT = 4181
const ENTRIES = rowsOr(200_000)
const MINUTES = 10
const CONNECTIONS = 64
const COMMENTS = '/api/community/bugs'

/** Every connection is a member with a network of its own, and goes on to other bugs. */
function requestsOf(connection: number) {
  const headers = { cookie: cookieOf(connection % SESSIONS), 'x-forwarded-for': `10.0.${connection}.1` }
  const json = { ...headers, 'content-type': 'application/json' }
  const bug = (turn: number) => bugId(((connection * 97 + turn) * 379) % ENTRIES)
  return Array.from({ length: 40 }, (_, turn) => [
    { path: '/api/community/feed', headers },
    { path: `/api/community/feed?page=${1 + turn}` },
    { path: `/api/community/bugs/${bug(turn)}`, headers },
    { path: `/community/bugs/${bug(turn)}`, headers },
    { path: '/community', headers },
    { path: `/api/community/bugs?q=midnight&page=${1 + (turn % 5)}` },
    ...[1, -1].map((value) => ({
      ...{
        method: 'POST' as const,
        path: `${COMMENTS}/${bug(turn)}/vote`,
        headers: json,
        body: JSON.stringify({ value }),
      },
    })),
    {
      ...{ method: 'POST' as const, path: `${COMMENTS}/${bug(turn)}/comments`, headers: json },
      body: JSON.stringify({ body: `Seen here too, ${turn} times.` }),
    },
  ]).flat()
}

/** Waits until a process has used less than a twentieth of a core for a quarter of a minute; returns the seconds until then. */
async function untilIdle(pid: number): Promise<number> {
  const begun = performance.now()
  for (let before = cpuNow({ pid }).server, idle = 0; idle < 3; ) {
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    const now = cpuNow({ pid }).server
    idle = now - before < 0.25 ? idle + 1 : 0
    before = now
  }
  return (performance.now() - begun) / 1_000 - 15
}

await inPlaces(async (make) => {
  const { url, environment } = await make('endurance')
  await fill(url, { bugs: ENTRIES, votes: 0, users: 2_000 })
  const server = await startServer(['src/main.ts'], PORT, '/readyz', {
    ...environment,
    ...{ TRUST_PROXY: '1', LOG_LEVEL: 'warn', RATE_LIMITS: 'off' },
  })
  console.log(`  ${residentMegabytes(server.pid).toFixed(0)} MB before`)
  const perSecond: number[] = []
  for (let minute = 0; minute < MINUTES; minute++) {
    const outcome = await load(server, { connections: CONNECTIONS, requests: requestsOf, seconds: 60 })
    perSecond.push(outcome.perSecond)
    console.log(
      `  minute ${minute + 1}: ${outcome.perSecond.toFixed(0)} a second, ${residentMegabytes(server.pid).toFixed(0)} MB`,
    )
  }
  const seconds = await untilIdle(server.pid)
  figure('until its notifications are sent', seconds, 's')
  figure('resident after that', residentMegabytes(server.pid), 'MB', { atMost: 200 })
  await server.stop()
})
