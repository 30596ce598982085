// The feed and the votes on 200,000 entries and 1,000,000 votes, against a bare server and raw statements in the same run.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { figure, median } from './figures.ts'
import { bugId, fill, SESSION_TOKEN } from './fill.ts'
import { load, type RunningServer, residentMegabytes, startServer } from './load.ts'
import { rawVote } from './raw-votes.ts'

const USERS = 2_000
const ENTRIES = 200_000
const FEED = '/api/community/feed'
const cookie = `guildhall_session=${SESSION_TOKEN}`
const ROUNDS = 3

async function feedAndVotes(): Promise<void> {
  const data = join(folder, 'large')
  await fillIn(data, ENTRIES, 1_000_000)
  // The first start makes the database's new shape and compiles the sources, which the next ones find done.
  const starts: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const { readyAfter, stop } = await start(data, 4101)
    starts.push(readyAfter / 1000)
    await stop()
  }
  console.log(`  ready after, in s: ${starts.map((seconds) => seconds.toFixed(2)).join(', ')}`)
  figure('ready after start on an existing database', median(starts.slice(1)), 's', { atMost: 1 })
  const guildhall = await start(data, 4101)
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  figure('resident when idle', residentMegabytes(guildhall.pid), 'MB', { atMost: 130 })
  const bare = await startBare(guildhall, 4102)
  const feed = [{ method: 'GET' as const, path: FEED }]
  const ratios: Record<'anonymous' | 'signedIn', number[]> = { anonymous: [], signedIn: [] }
  for (let round = 0; round < ROUNDS; round++) {
    const limit = await load(bare, { connections: 64, requests: feed })
    const anonymous = await load(guildhall, { connections: 64, requests: feed })
    const signedIn = await load(guildhall, { connections: 64, requests: [{ ...feed[0]!, headers: { cookie } }] })
    ratios.anonymous.push(anonymous.perCpuSecond / limit.perCpuSecond)
    ratios.signedIn.push(signedIn.perCpuSecond / limit.perCpuSecond)
    console.log(
      `  requests a CPU-second: bare ${limit.perCpuSecond.toFixed(0)}, anonymous ${anonymous.perCpuSecond.toFixed(0)}, signed in ${signedIn.perCpuSecond.toFixed(0)}`,
    )
  }
  figure('anonymous feed page, against a bare server', median(ratios.anonymous), 'x', { atLeast: 0.6 })
  figure('signed-in feed page with myVote, against a bare server', median(ratios.signedIn), 'x', { atLeast: 0.1 })
  await votes(guildhall, bare, data)
  await bare.stop()
  await guildhall.stop()
}

/**
 * A vote changes four rows and some twenty pages of indexes: what one costs is compared with a bare answer and the same
 * statements raw, both of which it cannot do without.
 */
async function votes(guildhall: RunningServer, bare: RunningServer, data: string): Promise<void> {
  // Each client votes on bugs of its own, up on all and then down on all: every vote changes a score.
  const requests = (client: number) =>
    ([1, -1] as const).flatMap((value) =>
      Array.from({ length: 16 }, (_, index) => ({
        method: 'POST' as const,
        path: `/api/community/bugs/${bugId(((client * 16 + index) * 379) % ENTRIES)}/vote`,
        headers: { cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ value }),
      })),
    )
  // What is compared is a server that has been running for a while: its code is compiled for good in the first seconds.
  await load(guildhall, { connections: 64, requests, seconds: 6 })
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const answer = 1e6 / (await load(bare, { connections: 64, requests })).perCpuSecond
    const raw = rawVote(join(data, 'guildhall.db'), ENTRIES)
    const { perCpuSecond, perSecond } = await load(guildhall, { connections: 64, requests })
    ratios.push(1e6 / perCpuSecond / (answer + raw))
    console.log(
      `  durable votes a second: ${perSecond.toFixed(0)}; CPU µs: a vote ${(1e6 / perCpuSecond).toFixed(0)}, raw statements ${raw.toFixed(0)}, a bare answer ${answer.toFixed(0)}`,
    )
  }
  figure('a vote, against its raw statements and a bare answer', median(ratios), 'x the CPU', { atMost: 2.5 })
}

async function growth(): Promise<void> {
  const servers: RunningServer[] = []
  for (const [index, entries] of [10_000, 1_000_000].entries()) {
    const data = join(folder, `growth-${entries}`)
    await fillIn(data, entries, 0)
    servers.push(await start(data, 4103 + index))
  }
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const [small, large] = [
      await load(servers[0]!, { connections: 16, requests: [{ path: FEED, headers: { cookie } }], seconds: 3 }),
      await load(servers[1]!, { connections: 16, requests: [{ path: FEED, headers: { cookie } }], seconds: 3 }),
    ]
    ratios.push(small.perCpuSecond / large.perCpuSecond)
  }
  figure('feed page at 1,000,000 entries, against one at 10,000', median(ratios), 'x the cost', { atMost: 1.3 })
  for (const server of servers) await server.stop()
}

async function fillIn(data: string, bugs: number, votes: number): Promise<void> {
  mkdirSync(data, { recursive: true })
  await fill(join(data, 'guildhall.db'), { bugs, votes, users: USERS })
}

/** Votes are counted against budgets as ever, which are so large that one account can go on for the whole run. */
const start = (data: string, port: number) =>
  startServer(['src/main.ts'], port, FEED, {
    DATA_DIR: data,
    NODE_ENV: '',
    LOG_LEVEL: 'info',
    BUDGETS: 'votes: 999999999/hour, 999999999/hour',
  })

async function startBare(guildhall: RunningServer, port: number): Promise<RunningServer> {
  const answer = await fetch(guildhall.url + FEED)
  const body = await answer.text()
  const sent = [...answer.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))
  const path = join(folder, 'answer.json')
  writeFileSync(path, JSON.stringify({ headers: sent.flat(), body }))
  return startServer(['bench/bare.ts', path], port, FEED)
}

// Beside the project and not in /tmp, which may be memory: an fsync must reach a disk.
const folder = mkdtempSync('bench-data-')
try {
  await feedAndVotes()
  await growth()
} finally {
  rmSync(folder, { recursive: true })
}
