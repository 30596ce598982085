// The primary of PostgreSQL dies under load, or falls silent, and Patroni makes another node the primary behind HAProxy: no acknowledged write is lost, what
// fails meanwhile says when to try again, and Guildhall goes on by itself. `ROUNDS=10 npm run test:wide -- failover` loses ten primaries.
import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { noCluster, openPatroni, type PatroniCluster, until } from '../patroni.ts'
import { startServer, type TestServer } from '../server.ts'
import { temporaryDirectory } from '../temporary.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 2)
const WRITERS = 6
const READERS = 3
/** How long the load lasts before the primary dies, and how many writes come after. */
const BEFORE_MILLISECONDS = 4_000
const WRITES_AFTER = 60
const LONGEST_MILLISECONDS = 30_000

/** What came of the calls of one load. */
interface Outcome {
  acknowledged: { id: string; at: number }[]
  /** Times of answers with 503. */
  refused: number[]
  /** Any other answer than a success or a 503 that says when to try again. */
  wrong: string[]
}

describe('a failover with Patroni and HAProxy', { skip: noCluster ?? false }, () => {
  let cluster: PatroniCluster
  before(async () => {
    cluster = await openPatroni()
    await cluster.whole()
    await query(cluster, `create role guildhall login password 'secret' in role pg_monitor`)
    await query(cluster, `create database guildhall owner guildhall encoding 'UTF8' template template0`)
  })
  after(() => cluster?.close())

  it(`loses no acknowledged write, ${ROUNDS} times`, async (t) => {
    const server = await startServer({
      DATA_DIR: await temporaryDirectory(t),
      DATABASE_URL: cluster.url('guildhall', 'guildhall'),
      DATABASE_READ_URL: cluster.nodeUrls('guildhall', 'guildhall').join(' '),
    })
    t.after(() => server.end('SIGKILL'))
    const cookie = await signUp(server)
    for (let round = 1; round <= ROUNDS; round++) {
      await failOver(t, { server, cookie, round })
      await until(() => usesReplicas(server), 'the other two nodes take reads')
    }
    assert.equal(server.process.exitCode, null, 'the server goes on')
  })

  async function failOver(
    t: TestContext,
    { server, cookie, round }: { server: TestServer; cookie: string; round: number },
  ) {
    const outcome: Outcome = { acknowledged: [], refused: [], wrong: [] }
    let isOver = false
    const load = [
      ...Array.from({ length: WRITERS }, (_, n) => n).map(async (n) => {
        for (let turn = 0; !isOver; turn++) await write(server, cookie, { text: `${round}-${n}-${turn}`, outcome })
      }),
      ...Array.from({ length: READERS }, async () => {
        while (!isOver) await read(server, outcome)
      }),
    ]
    let name: string | undefined
    let killedAt = 0
    try {
      await sleep(BEFORE_MILLISECONDS)
      killedAt = performance.now()
      name = await cluster.losePrimary(round % 2 === 1 ? 'killed' : 'silent')
      const isBack = async () =>
        outcome.acknowledged.filter(({ at }) => at > Math.max(killedAt, ...outcome.refused)).length >= WRITES_AFTER
      await until(isBack, 'writes are acknowledged again')
    } catch (error) {
      t.diagnostic(cluster.logs() + server.output().slice(-4_000))
      throw error
    } finally {
      isOver = true
      await Promise.all(load)
    }
    const seconds = ((longestGap(outcome, killedAt) / 100) | 0) / 10
    const { acknowledged, refused, wrong } = outcome
    console.log(
      `${round}: ${acknowledged.length} acknowledged, ${refused.length} refused, no write for ${seconds} s after ${name} ${round % 2 === 1 ? 'was killed' : 'fell silent'}`,
    )
    assert.deepEqual([...new Set(wrong)].slice(0, 5), [], server.output().slice(-4_000))
    assert.ok(seconds < LONGEST_MILLISECONDS / 1_000, `no write for ${seconds} s`)
    assert.deepEqual(await lost(outcome), [], 'acknowledged writes that are not there')
    cluster.restart(name)
    await cluster.whole()
  }

  /** The longest time without an acknowledged write, from the death of the primary on. */
  function longestGap({ acknowledged }: Outcome, killedAt: number): number {
    const times = [killedAt, ...acknowledged.map(({ at }) => at).filter((at) => at > killedAt)].sort((a, b) => a - b)
    return Math.max(...times.slice(1).map((at, before) => at - times[before]!))
  }

  async function lost({ acknowledged }: Outcome): Promise<string[]> {
    const ids = acknowledged.map(({ id }) => id)
    const found = await query(cluster, 'select id from post where id = any($1)', {
      values: [ids],
      database: 'guildhall',
    })
    const kept = new Set(found.map((row) => row['id']))
    return ids.filter((id) => !kept.has(id))
  }
})

async function query(
  cluster: PatroniCluster,
  statement: string,
  { values = [], database = 'postgres' }: { values?: unknown[]; database?: string } = {},
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: cluster.url(database) })
  await client.connect()
  return client
    .query<Record<string, unknown>>(statement, values)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

/** Whether one node is known as the primary, and each other one takes reads. */
async function usesReplicas({ url }: TestServer): Promise<boolean> {
  const details = await (await fetch(`${url}/readyz`)).text()
  const count = (pattern: RegExp) => details.match(pattern)?.length
  return count(/^replica \S+: it is the primary$/gm) === 1 && count(/^replica \S+: ok/gm) === 2
}

async function signUp({ url }: TestServer): Promise<string> {
  const body = JSON.stringify({ name: 'ada', email: 'ada@example.com', password: 'a long enough password' })
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(`${url}/api/auth/sign-up/email`, { method: 'POST', headers, body })
  assert.equal(answer.status, 200)
  return answer.headers.getSetCookie()[0]!.split(';')[0]!
}

async function write(
  { url }: TestServer,
  cookie: string,
  { text, outcome }: { text: string; outcome: Outcome },
): Promise<void> {
  const headers = { Cookie: cookie, 'Content-Type': 'application/json', Origin: url }
  const body = JSON.stringify({ title: text, body: `${text} is a long enough post` })
  const answer = await ask(`${url}/api/community/posts`, { method: 'POST', headers, body }, outcome)
  if (answer) outcome.acknowledged.push({ id: ((await answer.json()) as { id: string }).id, at: performance.now() })
}

async function read({ url }: TestServer, outcome: Outcome): Promise<void> {
  const answer = await ask(`${url}/api/community/posts?limit=${1 + Math.floor(Math.random() * 50)}`, {}, outcome)
  await answer?.arrayBuffer()
}

/** The answer if it is a success. */
async function ask(url: string, init: RequestInit, outcome: Outcome): Promise<Response | undefined> {
  const method = init.method ?? 'GET'
  try {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(LONGEST_MILLISECONDS) })
    if (answer.ok) return answer
    const said = await answer.text()
    if (answer.status !== 503 || !answer.headers.has('retry-after'))
      outcome.wrong.push(`${method} ${answer.status} ${said}`)
    else if (method !== 'GET') outcome.refused.push(performance.now())
    await sleep(200)
  } catch (error) {
    outcome.wrong.push(`${method} ${error}`)
    await sleep(200)
  }
  return undefined
}
