// The limit for a vote: the same rows changed by raw statements, 64 votes to a commit. Nothing is parsed, checked or sent.
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Both } from './figures.ts'
import { userId } from './fill-accounts.ts'
import { bugId } from './fill-bugs.ts'
import { Slices } from './slices.ts'

/** As many as there are clients: a commit of the server carries up to one vote of each. */
const A_COMMIT = 64
const COMMITS_A_SLICE = 8
const MILLISECONDS = 3_000

type Run = (statement: string, ...values: (string | number)[]) => unknown

async function vote(run: Run, id: string, value: number): Promise<void> {
  await run('select score from bug where id = $1', id)
  for (const key of ['account', 'network']) {
    await run(
      `insert into "rateLimit" (key, count, "resetsAt") values ($1, 1, '9')
        on conflict (key) do update set count = "rateLimit".count + 1 returning count`,
      key,
    )
  }
  await run('select value from vote where "targetId" = $1 and "userId" = $2', id, userId(0))
  await run(
    `insert into vote ("targetId", "userId", value) values ($1, $2, $3)
      on conflict ("targetId", "userId") do update set value = excluded.value`,
    ...[id, userId(0), value],
  )
  await run('update bug set score = score + $1 where id = $2', value, id)
  await run('update "feedEntry" set score = score + $1 where id = $2', value, id)
}

/**
 * CPU microseconds of one vote on a database with so many bugs, which a server may have open and idle. Every vote changes a
 * score. On PostgreSQL the CPU is that of its processes alone, and not of the client that asks.
 */
export async function rawVote(url: string, bugs: number): Promise<Both> {
  const { run, close } = await (/^postgres(ql)?:/.test(url) ? runOnPostgres(url) : runOnSqlite(url))
  const began = performance.now()
  const slices = new Slices()
  let votes = 0
  while (performance.now() - began < MILLISECONDS) {
    await run('begin')
    for (let n = 0; n < A_COMMIT; n++, votes++) {
      // As far apart as the bugs that the clients vote on, and as many.
      await vote(run, bugId(((votes % 1_024) * 379) % bugs), votes % 2_048 < 1_024 ? 1 : -1)
    }
    await run('commit')
    if (votes % (A_COMMIT * COMMITS_A_SLICE) === 0) slices.end(A_COMMIT * COMMITS_A_SLICE)
  }
  const { server, all } = slices.cost()
  await close()
  const cost = /^postgres(ql)?:/.test(url) ? all - server : server
  return { server: cost, all: cost }
}

function runOnSqlite(path: string): { run: Run; close(): unknown } {
  const db = new DatabaseSync(path)
  db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -16000')
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  const run: Run = (statement, ...values) => {
    let prepared = statements.get(statement)
    if (!prepared) {
      prepared = db.prepare(statement.replaceAll(/\$\d/g, '?'))
      statements.set(statement, prepared)
    }
    return /^select|returning/.test(statement) ? prepared.get(...values) : prepared.run(...values)
  }
  return { run, close: () => db.close() }
}

async function runOnPostgres(url: string): Promise<{ run: Run; close(): unknown }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const names = new Map<string, string>()
  const run: Run = (text, ...values) => {
    const name = names.get(text) ?? `raw ${names.size}`
    names.set(text, name)
    return client.query({ name, text, values })
  }
  return { run, close: () => client.end() }
}

/** How often a second one connection changes one row and commits, each time to the disk. */
export async function singleCommits(url: string, bugs: number): Promise<number> {
  const { run, close } = await runOnPostgres(url)
  const began = performance.now()
  let commits = 0
  for (; performance.now() - began < MILLISECONDS; commits++) {
    await run('update bug set score = score + $1 where id = $2', 1, bugId(((commits % 1_024) * 379) % bugs))
  }
  const seconds = (performance.now() - began) / 1000
  await close()
  return commits / seconds
}
