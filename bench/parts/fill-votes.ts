// Fills a PostgreSQL database with many members and votes by SQL, in chunks. How far it got is in the database with each chunk: a filling that was
// interrupted goes on there. Indexes are made after the rows, and those of votes as full as they are when votes came in no order.
import pg from 'pg'
import { openDatabase } from '../../src/database/open.ts'
import { sha256 } from '../../src/runtime/hash.ts'
import { SESSIONS } from './fill-accounts.ts'

export interface VotesSize {
  votes: number
  members: number
  /** Of bugs, entries of the feed, comments and notifications there are so many each. */
  things: number
}

const VOTES_OF_MEMBER = 10
const RECIPIENTS = 10_000
/** Chunks that are written at the same time. */
const WRITERS = 3
/** The share of a page of an index that is filled when rows came in no order (a B-tree splits pages in two halves). */
const FILL_PERCENT = 70
/** A prime: its multiples come by every number below a count once, in no order. */
const PRIME = 982_451_653

export const sizeOf = (votes: number): VotesSize => ({
  ...{ votes, members: Math.max(RECIPIENTS, Math.floor(votes / VOTES_OF_MEMBER)) },
  things: Math.max(10_000, Math.min(1_000_000, votes)),
})

const id = (kind: string, number: string) =>
  `('01900000-0000-7000-${kind}-' || lpad(to_hex((${number})::bigint), 12, '0'))`
const moment = (number: string) =>
  `to_char(timestamp '2026-01-01' + (${number}) * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`
const text = `'When two agents publish one item the queue stalls after midnight, and the retry never ends: ' || repeat('it is late. ', 8)`

interface Step {
  name: string
  rows: number
  chunk: number
  /** Writes the rows `n` from $1 to before $2. */
  statement: string
}

const rowsOf = (into: string, columns: string) =>
  `insert into ${into} select ${columns} from generate_series($1::bigint, $2::bigint - 1) as n`

/** Half of the votes are on a hundredth of the things: the newest ones. */
function votesOf({ votes, things }: VotesSize): Step {
  const hot = things / 100
  const target = `case when p % 10 < 5 then ${things - 1} - (p / 10 * 40503 + p % 10 * 7919) % ${hot}
    else (p / 10 * 2654435761 + (p % 10 - 5) * 104729) % ${things - hot} end`
  const statement = `insert into vote ("targetId", "userId", value)
    select ${id('9000', target)}::uuid, ${id('8000', 'p / 10')}::uuid, 1
    from (select n * ${PRIME} % ${votes} as p from generate_series($1::bigint, $2::bigint - 1) as n offset 0) as placed`
  return { name: 'vote', rows: votes, chunk: 1_000_000, statement }
}

function stepsOf(size: VotesSize): Step[] {
  const { members, things, votes } = size
  const usual = { chunk: 100_000, rows: things }
  const hot = things / 100
  const score = `(case when n >= ${things - hot} then ${Math.round(votes / 2 / hot)} else ${Math.round(votes / 2 / (things - hot))} end)`
  const author = id('8000', `n * 7919 % ${members}`)
  const recipient = id('8000', `n % ${RECIPIENTS} * ${Math.floor(members / RECIPIENTS)}`)
  const title = `'The queue stalls after midnight ' || n`
  const thing = `${id('9000', 'n')}, ${title}, ${author}, n + 1, ${score}, 1, ${moment('n')}`
  const common = `id, title, "authorId", number, score, "commentCount", "createdAt"`
  const comment = id('d100', 'n * 10')
  return [
    {
      ...{ name: 'user', rows: members, chunk: 250_000 },
      statement: rowsOf(
        '"user" (id, email, name, username, "usernameKey", role, "createdAt", "updatedAt")',
        `${id('8000', 'n')}, 'user' || n || '@example.com', 'user' || n, 'user' || n, 'user' || n, 'member', ${moment('n')}, ${moment('n')}`,
      ),
    },
    {
      ...{ ...usual, name: 'bug' },
      statement: rowsOf(
        `bug (${common}, description, "updatedAt", status, severity)`,
        `${thing}, ${text}, ${moment('n')}, (array['open', 'in_progress', 'resolved', 'wontfix'])[n % 4 + 1],
          (array['low', 'medium', 'high', 'critical'])[n / 4 % 4 + 1]`,
      ),
    },
    {
      ...{ ...usual, name: 'feedEntry' },
      statement: rowsOf(
        `"feedEntry" (${common}, type, preview, url)`,
        `${thing}, 'bug', ${text}, '/community/bugs/' || ${id('9000', 'n')}`,
      ),
    },
    {
      ...{ ...usual, name: 'comment' },
      statement: rowsOf(
        'comment (id, "targetId", "targetType", thread, "authorId", body, "createdAt")',
        `${id('d100', 'n')}, ${id('9000', 'n')}, 'bug', ${id('9000', 'n')}, ${author}, 'It happens here too', ${moment('n')}`,
      ),
    },
    {
      ...{ ...usual, name: 'event', rows: things / 10 },
      statement: rowsOf(
        `event (id, kind, "targetType", "targetId", number, title, url, "actorId", "commentId", excerpt, mentioned, "createdAt", place,
          recipients, "doneAt")`,
        `${id('e200', 'n')}, 'comment', 'bug', ${id('9000', 'n * 10')}, n * 10 + 1, ${title}, '/community/comments/' || ${comment},
          ${author}, ${comment}, 'It happens here too', '[]', ${moment('n')}, '', 10, ${moment('n')}`,
      ),
    },
    {
      ...{ ...usual, name: 'notification' },
      statement: rowsOf(
        'notification ("userId", "position", "eventId", kind, read, "createdAt")',
        `${recipient}, n / ${RECIPIENTS} + 1, ${id('e200', `(n % ${RECIPIENTS} * 37 + n / ${RECIPIENTS} * 1009) % ${things / 10}`)}, 'comment',
          least(n / ${RECIPIENTS} % 4, 1), ${moment('n')}`,
      ),
    },
    votesOf(size),
  ]
}

const tables = ['user', 'bug', 'feedEntry', 'comment', 'event', 'notification', 'vote']

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // Triggers do not fire, and references are not checked.
  await client.query(`set synchronous_commit = off; set session_replication_role = replica`)
  return client
}

/** Takes the indexes away and notes how they are made. */
async function takeIndexes(client: pg.Client): Promise<void> {
  await client.query(`begin;
    create table "benchFilling" (step text, "from" bigint, primary key (step, "from"));
    create table "benchIndex" as select i.indexrelid::regclass::text as name, t.relname as "table",
        pg_get_indexdef(i.indexrelid) as sql, false as made
      from pg_index i join pg_class t on t.oid = i.indrelid
      where t.relname = any('{${tables.join()}}') and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid);
    alter table vote drop constraint vote_key;
    insert into "benchIndex" values
      ('vote_key', 'vote', 'alter table vote add constraint vote_key primary key ("targetId", "userId")', false)`)
  const { rows } = await client.query<{ name: string }>(`select name from "benchIndex" where name <> 'vote_key'`)
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await client.query('commit')
}

async function write(url: string, steps: readonly Step[], progress: (sentence: string) => void): Promise<void> {
  const client = await connect(url)
  const { rows } = await client.query<{ at: string }>(`select step || ' ' || "from" as at from "benchFilling"`)
  await client.end()
  const done = new Set(rows.map(({ at }) => at))
  const chunks = steps.flatMap((step) =>
    Array.from({ length: Math.ceil(step.rows / step.chunk) }, (_, n) => ({ step, from: n * step.chunk })),
  )
  const left = chunks.filter(({ step, from }) => !done.has(`${step.name} ${from}`))
  const writer = async () => {
    const own = await connect(url)
    for (let next = left.shift(); next; next = left.shift()) {
      const { step, from } = next
      await own.query('begin')
      await own.query(step.statement, [from, Math.min(from + step.chunk, step.rows)])
      await own.query('insert into "benchFilling" values ($1, $2)', [step.name, from])
      await own.query('commit')
      progress(`${step.name} from ${from}`)
    }
    await own.end()
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
}

async function makeIndexes(client: pg.Client, progress: (sentence: string) => void): Promise<void> {
  await client.query(`set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 2`)
  const { rows } = await client.query<Record<'name' | 'table' | 'sql', string>>(
    'select name, "table", sql from "benchIndex" where not made order by name',
  )
  for (const { name, table, sql } of rows) {
    const began = performance.now()
    await client.query('begin')
    await client.query(table === 'vote' ? `${sql} with (fillfactor = ${FILL_PERCENT})` : sql)
    await client.query('update "benchIndex" set made = true where name = $1', [name])
    await client.query('commit')
    progress(`${name} in ${Math.round((performance.now() - began) / 1000)} s`)
  }
}

async function complete(client: pg.Client, { members, things }: VotesSize): Promise<void> {
  await client.query('begin')
  await client.query(`truncate counter, inbox, session`)
  await client.query(`insert into counter (key, count)
    select 'bug/all/' || status || '/' || severity || '/', count(*) from bug group by status, severity
    union all select 'feed/all/' || type || '/', count(*) from "feedEntry" group by type
    union all select 'account/all/member/open/', ${members}`)
  await client.query(`insert into inbox ("userId", last, unread)
    select "userId", max("position"), sum(1 - read) from notification group by "userId"`)
  await client.query(`select setval('"thingNumber"', ${things})`)
  const now = new Date().toISOString()
  for (let n = 0; n < SESSIONS; n++) {
    await client.query(
      `insert into session (id, "tokenHash", "userId", "createdAt", "expiresAt", "seenAt", "authenticatedAt")
        values ($1, $2, ${id('8000', '$3')}, $4, '2099-01-01T00:00:00.000Z', $4, $4)`,
      [`bench-${n}`, sha256(`bench-session-${n}`), n * Math.floor(members / SESSIONS), now],
    )
  }
  await client.query('commit')
}

/** Makes the database at `url`, or goes on with it. */
export async function fillVotes(url: string, size: VotesSize, progress: (sentence: string) => void): Promise<void> {
  const { db } = await openDatabase(url)
  await db.destroy()
  const client = await connect(url)
  try {
    const { rows } = await client.query(`select 1 from pg_class where relname = 'benchFilling'`)
    if (rows.length === 0) await takeIndexes(client)
    await write(url, stepsOf(size), progress)
    await makeIndexes(client, progress)
    const { rows: made } = await client.query(`select 1 from "benchFilling" where step = 'complete'`)
    if (made.length > 0) return
    await complete(client, size)
    // As autovacuum leaves it after a while; and no checkpoint of the filling is left for the measurement.
    await client.query('vacuum analyze')
    await client.query('checkpoint')
    await client.query(`insert into "benchFilling" values ('complete', 0)`)
  } finally {
    await client.end()
  }
}
