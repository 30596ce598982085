// The feed, a list and the votes on 200,000 entries and 1,000,000 votes, against a bare server and raw statements in the same run.

import { cpuNow, residentMegabytes } from './parts/cpu.ts'
import { type Both, figure, figures } from './parts/figures.ts'
import { cookie, cookieOf, SESSIONS } from './parts/fill-accounts.ts'
import { bugId, fill } from './parts/fill-bugs.ts'
import { load, type RunningServer, startBare, startServer } from './parts/load.ts'
import { median } from './parts/median.ts'
import { engine, rowsOr } from './parts/options.ts'
import { inPlaces, type Place } from './parts/places.ts'
import { rawVote, singleCommits } from './parts/raw-votes.ts'
import { against, cheapest, perCpuSecond } from './parts/slices.ts'

const USERS = 2_000
const ENTRIES = rowsOr(200_000)
const FEED = '/api/community/feed'
const BUGS = '/api/community/bugs'
const ROUNDS = 3

async function starts(place: Place): Promise<void> {
  // The first start makes the database's new shape and compiles the sources, which the next ones find done.
  const taken: number[] = []
  const spent: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const server = await start(place)
    spent.push(cpuNow(server).server)
    taken.push(server.readyAfter / 1000)
    await server.stop()
  }
  console.log(`  ready after, in s: ${taken.map((seconds) => seconds.toFixed(2)).join(', ')}`)
  figure('ready after start on an existing database', median(taken.slice(1)), 's', { atMost: 1 })
  // What else the machine does changes it less than the time.
  figure('CPU of the server until it is ready', median(spent.slice(1)), 's', { sqlite: { atMost: 0.7 } })
}

async function pages(guildhall: RunningServer, place: Place): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  figure('resident when idle', residentMegabytes(guildhall.pid), 'MB', { atMost: 115 })
  const bareFeed = await startBare(guildhall, FEED, { port: 4102, folder: place.folder })
  const bareBugs = await startBare(guildhall, BUGS, { port: 4103, folder: place.folder })
  const get = async (server: RunningServer, path: string, headers: Record<string, string> = {}) =>
    (await load(server, { connections: 64, requests: [{ method: 'GET', path, headers }] })).cost
  const taken: Record<'bare' | 'anonymous' | 'member' | 'made' | 'bareBugs' | 'bugs', Both[]> = {
    ...{ bare: [], anonymous: [], member: [], made: [], bareBugs: [], bugs: [] },
  }
  // Beside a token no answer is kept, and the cookie counts: so this one is made for each request.
  const unkept = { cookie, authorization: 'Bearer none' }
  for (let round = 0; round < ROUNDS; round++) {
    taken.bare.push(await get(bareFeed, FEED))
    taken.anonymous.push(await get(guildhall, FEED))
    taken.member.push(await get(guildhall, FEED, { cookie }))
    taken.made.push(await get(guildhall, FEED, unkept))
    taken.bareBugs.push(await get(bareBugs, BUGS))
    taken.bugs.push(await get(guildhall, BUGS))
  }
  const rates = Object.entries(taken).map(([name, costs]) => `${name} ${perCpuSecond(costs).server.toFixed(0)}`)
  console.log(`  requests a CPU-second: ${rates.join(', ')}`)
  const anonymous = { sqlite: { atLeast: 0.6 }, postgres: { atLeast: 0.5 } }
  figures('anonymous feed page, against a bare server', against(taken.bare, taken.anonymous), 'x', anonymous)
  figures('signed-in feed page with myVote, against a bare server', against(taken.bare, taken.member), 'x', {
    ...{ sqlite: { atLeast: 0.25 }, postgres: { atLeast: 0.25 } },
  })
  figures('the same, made for each request, against a bare server', against(taken.bare, taken.made), 'x', {
    ...{ sqlite: { atLeast: 0.1 }, postgres: { atLeast: 0.12 } },
  })
  figures('anonymous list of bugs, against a bare server', against(taken.bareBugs, taken.bugs), 'x', {
    postgres: { atLeast: 0.5 },
  })
  await bareBugs.stop()
  await votes(guildhall, bareFeed, place)
  await bareFeed.stop()
}

/** Each client is an account in a network of its own and votes on bugs of its own, up on all and then down on all. */
const votesOf = (client: number) =>
  ([1, -1] as const).flatMap((value) =>
    Array.from({ length: 16 }, (_, index) => ({
      method: 'POST' as const,
      path: `${BUGS}/${bugId(((client * 16 + index) * 379) % ENTRIES)}/vote`,
      headers: {
        ...{ cookie: cookieOf(client % SESSIONS), 'x-forwarded-for': `10.0.${client}.1` },
        'content-type': 'application/json',
      },
      body: JSON.stringify({ value }),
    })),
  )

/**
 * A vote changes four rows and some twenty pages of indexes: what one costs is compared with a bare answer and the same
 * statements raw, both of which it cannot do without. On PostgreSQL the statements are PostgreSQL's CPU.
 */
async function votes(guildhall: RunningServer, bare: RunningServer, { url }: Place): Promise<void> {
  // What is compared is a server that has been running for a while: its code is compiled for good in the first seconds.
  await load(guildhall, { connections: 64, requests: votesOf, seconds: 6 })
  const taken: Record<'vote' | 'raw' | 'answer', Both[]> = { vote: [], raw: [], answer: [] }
  const durable: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    taken.answer.push((await load(bare, { connections: 64, requests: votesOf })).cost)
    taken.raw.push(await rawVote(url, ENTRIES))
    const single = engine === 'postgres' ? await singleCommits(url, ENTRIES) : Number.NaN
    const { cost, perSecond } = await load(guildhall, { connections: 64, requests: votesOf })
    taken.vote.push(cost)
    durable.push(perSecond / single)
    console.log(`  durable votes a second: ${perSecond.toFixed(0)}`)
  }
  const [vote, raw, answer] = [cheapest(taken.vote), cheapest(taken.raw), cheapest(taken.answer)]
  const parts = Object.entries({ vote: vote.all, server: vote.server, raw: raw.all, bare: answer.server })
  console.log(`  CPU us of a vote: ${parts.map(([name, cost]) => `${name} ${cost.toFixed(0)}`).join(', ')}`)
  figure('a vote, against its raw statements and a bare answer', vote.all / (answer.server + raw.all), 'x the CPU', {
    sqlite: { atMost: 2.5 },
  })
  if (engine === 'sqlite') return
  figure(`durable votes of 64 clients, against PostgreSQL's single commits`, median(durable), 'x', { atLeast: 1.5 })
}

/** Votes are counted against budgets as ever, which are so large that one account can go on for the whole run. */
const start = ({ environment }: Place) =>
  startServer(['src/main.ts'], 4101, FEED, {
    ...environment,
    TRUST_PROXY: '1',
    LOG_LEVEL: 'info',
    BUDGETS: 'votes: 999999999/hour, 999999999/hour',
  })

await inPlaces(async (make) => {
  const place = await make('feed')
  await fill(place.url, { bugs: ENTRIES, votes: 5 * ENTRIES, users: USERS })
  await starts(place)
  const guildhall = await start(place)
  await pages(guildhall, place)
  await guildhall.stop()
})
