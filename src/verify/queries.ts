// Stored counts, each compared with the actual count in one statement, so that the server may run at the same time.
// Archives of exports, as their rows name them.
import { type RawBuilder, sql } from 'kysely'
import { facetsOf, type ListedSubject } from '../content/subject.ts'
import { reactionKinds } from '../contract/kinds.ts'
import { type DistributableTable, listDistributed, SHARD_KEYS } from '../database/distributed.ts'
import type { Db } from '../database/schema.ts'
import { voteId } from '../database/vote-ids.ts'
import { listedSubjects, subjects } from '../subjects.ts'
import { countsOfMerged } from './merging-queries.ts'

/** A wrong count, score or copy. */
interface Mismatch {
  /** The owner of the count: a key, or the id of a row. */
  name: string
  stored: number
  expected: number
}

const MAX_FOUND = 20

/** `keys` lists the expected rows, as "key" and "n". Rows with other keys are not checked. */
async function compareKeyed(db: Db, stored: RawBuilder<unknown>, keys: RawBuilder<unknown>): Promise<Mismatch[]> {
  const { rows } = await sql<Mismatch>`
    select "key" as name, sum(stored) as stored, sum(expected) as expected from (
      select "key", n as stored, 0 as expected from (${stored}) kept
      union all select "key", 0 as stored, n as expected from (${keys}) counted
    ) sides group by "key" having sum(stored) <> sum(expected) order by "key" limit ${sql.lit(MAX_FOUND)}`.execute(db)
  return rows.map(({ name, stored, expected }) => ({ name, stored: Number(stored), expected: Number(expected) }))
}

const union = (parts: RawBuilder<unknown>[]) => sql.join(parts, sql` union all `)

/** The keys that count the rows of a subject: all, each author's, and those of each label, by what lists are filtered by. */
function keysOf(subject: ListedSubject): RawBuilder<unknown> {
  const { type, table, labels, parent = '' } = subject
  const facets = facetsOf(subject).map((name) => sql` || t.${sql.ref(name)} || '/'`)
  const things = sql`${sql.table(table)} t`
  const keysIn = (group: RawBuilder<unknown>, rows: RawBuilder<unknown>) =>
    sql`select ${group} || '/'${sql.join(facets, sql``)} as "key", t."viaClientId" from ${rows} where t.hidden = 0`
  const group = (name: string) => sql.lit(`${type}/${name}`)
  const keys = [keysIn(group('all'), things), keysIn(sql`${group('by/')} || t."authorId"`, things)]
  if (!labels) return union(keys)
  const labelled = sql`${things} join ${sql.table(labels.table)} l on l.${sql.ref(parent)} = t.id`
  const ofAuthor = sql`${group('label-by/')} || l."labelId" || '/' || t."authorId"`
  return union([...keys, keysIn(sql`${group('label/')} || l."labelId"`, labelled), keysIn(ofAuthor, labelled)])
}

/** The same keys, and those of what agents wrote (content/via.ts). */
const withAgents = (kind: string, keys: RawBuilder<unknown>) =>
  sql`select "key" from (${keys}) written
    union all select ${sql.lit(`${kind}/agents`)} || substr("key", ${sql.lit(kind.length + 1)}) from (${keys}) written
    where "viaClientId" is not null`

/** Kinds that `counter` counts, and what of each. */
const counted: [kind: string, from: RawBuilder<unknown>][] = [
  ...listedSubjects.map((subject): [string, RawBuilder<unknown>] => [
    subject.type,
    withAgents(subject.type, keysOf(subject)),
  ]),
  [
    'feed',
    withAgents(
      'feed',
      sql`select 'feed/all/' || type || '/' as "key", "viaClientId" from "feedEntry"
      union all select 'feed/by/' || "authorId" || '/' || type || '/', "viaClientId" from "feedEntry"`,
    ),
  ],
  [
    'comment',
    sql`select 'comment/blog/' || "targetId" || '/' as "key" from comment where "targetType" = 'blog' and hidden = 0`,
  ],
  [
    'reply',
    sql`select 'reply/' || "targetType" || '/' || "targetId" || '/' as "key" from comment where thread <> "targetId" and hidden = 0`,
  ],
  [
    'item',
    sql`select 'item/all/' || visibility || '/' || kind || '/' as "key" from "libraryItem" where listed = 1
    union all select 'item/by/' || "ownerId" || '/' || visibility || '/' || kind || '/' from "libraryItem"`,
  ],
  [
    'account',
    sql`select 'account/all/' || role || '/' || case when "blockedAt" is null then 'open' else 'blocked' end || '/' as "key"
    from "user"`,
  ],
  ['member', sql`select 'member/all/' as "key" from "user" where "usernameKey" is not null and "blockedAt" is null`],
]

/** Totals of lists, by their keys. */
export async function compareCounters(db: Db): Promise<Mismatch[]> {
  const found: Mismatch[] = []
  for (const [kind, from] of counted) {
    const stored = sql`select "key", count as n from counter where "key" >= ${`${kind}/`} and "key" < ${`${kind}0`}`
    found.push(
      ...(await compareKeyed(db, stored, sql`select "key", count(*) as n from (${from}) things group by "key"`)),
    )
  }
  return found
}

/** How many listed items carry a tag, by scope. */
export function compareTagCounts(db: Db): Promise<Mismatch[]> {
  const scopes = sql`select id, 'public' as scope from "libraryItem" where listed = 1
    union all select id, 'public/' || kind from "libraryItem" where listed = 1
    union all select id, 'official' from "libraryItem" where listed = 1 and visibility = 'official'
    union all select id, 'official/' || kind from "libraryItem" where listed = 1 and visibility = 'official'`
  return compareKeyed(
    db,
    sql`select scope || ' #' || tag as "key", count as n from "itemCount"`,
    sql`select scope || ' #' || tag as "key", count(*) as n from (${scopes}) scoped join "itemTag" tags on tags."itemId" = scoped.id
      group by scope, tag`,
  )
}

/** Unread notifications of each account. */
export function compareUnread(db: Db): Promise<Mismatch[]> {
  return compareKeyed(
    db,
    sql`select 'inbox.unread ' || "userId" as "key", unread as n from inbox`,
    sql`select 'inbox.unread ' || "userId" as "key", count(*) as n from notification where read = 0 group by "userId"`,
  )
}

/** Bytes of files that each account stores; the size of its picture is stored nowhere else. */
export function compareStoredBytes(db: Db): Promise<Mismatch[]> {
  const files = sql`select "ownerId" as account, v.size as bytes from "itemVersion" v join "libraryItem" i on i.id = v."itemId"
    union all select r."authorId", f."sizeBytes" from "orgRunFile" f join "orgRun" r on r.id = f."runId"
    union all select "uploaderId", size from "orgImage" union all select "uploaderId", size from "textImage" union all select "userId", size from "pendingFile"`
  return compareKeyed(
    db,
    sql`select 'storedBytes ' || "accountId" as "key", bytes - "avatarBytes" as n from "storedBytes"`,
    sql`select 'storedBytes ' || account as "key", sum(bytes) as n from (${files}) files group by account`,
  )
}

/** What is added up of the rows of a table that may be distributed, by the column that names what they are about. */
interface Sum {
  of: DistributableTable
  /** The column with the id of the row that counts; by default that by which the table is distributed. */
  by?: string
  what: RawBuilder<unknown>
  where?: RawBuilder<unknown>
}

/** A column of a table that counts rows of another. */
interface CountColumn {
  table: string
  column: string
  /** The number that should be there, of the row `t`, or what is added up of the rows of another table for it. */
  expected: RawBuilder<unknown> | Sum
  where?: RawBuilder<unknown>
}

const votes: Sum = { of: 'vote', what: sql`coalesce(sum(value), 0)` }
const reactionsTo = (where: RawBuilder<unknown>): Sum => ({ of: 'reaction', what: sql`count(*)`, where })
const commentsOn = (type: string) =>
  sql`(select count(*) from comment where "targetId" = t.id and "targetType" = ${sql.lit(type)} and hidden = 0)`

const stored = subjects.flatMap(({ type, table, parent }) => (table ? [{ type, table, parent }] : []))

const kept: CountColumn[] = [
  ...[...stored.map(({ table }) => table), 'feedEntry'].map((table) => ({ table, column: 'score', expected: votes })),
  ...stored
    .filter(({ parent }) => parent !== undefined)
    .map(({ type, table }) => ({
      table,
      column: 'commentCount',
      expected: commentsOn(type),
      ...(type === 'item' && { where: sql`t.gallery = 0` }),
    })),
  {
    table: 'feedEntry',
    column: 'commentCount',
    expected: sql`(select count(*) from comment where "targetId" = t.id and "targetType" <> 'blog' and hidden = 0)`,
  },
  {
    table: 'comment',
    column: 'replyCount',
    expected: sql`(select count(*) from comment r where r.thread = t.id and r.hidden = 0)`,
  },
  { table: 'comment', column: 'score', expected: reactionsTo(sql`1 = 1`) },
  ...reactionKinds.map((kind) => ({
    table: 'comment',
    column: kind,
    expected: reactionsTo(sql`reaction = ${sql.lit(kind)}`),
  })),
  {
    table: 'event',
    column: 'recipients',
    expected: { of: 'notification', by: 'eventId', what: sql`count(*)` },
  },
  ...['bug', 'feature', 'post', 'release', 'comment'].map((table) => ({
    table,
    column: 'revisionCount',
    expected: sql`(select count(*) from revision where "targetId" = t.id and "targetType" = ${sql.lit(table)})`,
  })),
  ...['bug', 'feature'].map((table) => ({
    table,
    column: 'statusChangeCount',
    expected: sql`(select count(*) from "statusChange" where "targetId" = t.id)`,
  })),
  ...countsOfMerged,
  {
    table: 'moderationCase',
    column: 'reportCount',
    expected: sql`(select count(*) from report where "caseId" = t.id and closed = 0)`,
  },
  {
    table: 'moderationCase',
    column: 'appealCount',
    expected: sql`(select count(*) from "moderationAct" a where a."targetId" = t."targetId" and t.state = 'open'
      and a."appealedAt" is not null and a."appealDecidedAt" is null)`,
  },
  {
    table: 'evidence',
    column: 'waiting',
    expected: sql`(select count(*) from "moderationCase" where "targetId" = t."targetId" and state = 'open')`,
  },
  {
    table: 'orgUpload',
    column: 'runCount',
    expected: sql`(select count(*) from "orgRun" where "orgId" = t.id and hidden = 0)`,
  },
]

/** The number that should be there of each row, and what is joined for it. A subquery of each row cannot ask a distributed table. */
function expectedOf(db: Db, { expected }: CountColumn, distributed: ReadonlySet<string>) {
  if (!('of' in expected)) return { number: expected, joined: sql`` }
  const { of, by = SHARD_KEYS[of], what, where = sql`1 = 1` } = expected
  const [table, key] = [sql.table(of), sql.ref(by)]
  const id = of === 'vote' ? voteId(db, sql.ref('t.id')) : sql.ref('t.id')
  if (!distributed.has(of))
    return { number: sql`(select ${what} from ${table} where ${key} = ${id} and ${where})`, joined: sql`` }
  const sums = sql`(select ${key} as id, ${what} as n from ${table} where ${where} group by ${key})`
  return { number: sql`coalesce(sums.n, 0)`, joined: sql`left join ${sums} sums on sums.id = ${id}` }
}

/** Scores and numbers of comments and runs, by "table.column id". */
export async function compareKept(db: Db): Promise<Mismatch[]> {
  const found: Mismatch[] = []
  const distributed = await listDistributed(db)
  for (const counted of kept) {
    const { table, column, where = sql`1 = 1` } = counted
    const { number, joined } = expectedOf(db, counted, distributed)
    const { rows } = await sql<Mismatch>`select name, stored, expected from (
      select t.id as name, ${sql.ref(`t.${column}`)} as stored, ${number} as expected from ${sql.table(table)} t ${joined} where ${where}
    ) compared where stored <> expected order by name limit ${sql.lit(MAX_FOUND)}`.execute(db)
    found.push(
      ...rows.map((row) => ({ ...row, name: `${table}.${column} ${row.name}`, expected: Number(row.expected) })),
    )
  }
  return found
}

/** Reads every row of every table whole; rejects when the server finds a page of it damaged. PostgreSQL only. */
export async function readEverything(db: Db, report: (sentence: string) => void): Promise<void> {
  const { rows } = await sql<{
    name: string
  }>`select tablename as name from pg_tables where schemaname = current_schema()`.execute(db)
  for (const { name } of rows) {
    // The text of a row has to be made from all of it.
    await sql`select sum(length(t::text)) from ${sql.table(name)} t`.execute(db).catch((error: Error) => {
      report(`The table ${name} is damaged: ${error.message}`)
    })
  }
  const { rows: extensions } = await sql`select 1 from pg_extension where extname = 'amcheck'`.execute(db)
  if (extensions.length === 0) return
  const { rows: indexes } = await sql<{ name: string }>`select indexname as name from pg_indexes
    where schemaname = current_schema() and indexdef like '%USING btree%'`.execute(db)
  for (const { name } of indexes) {
    await sql`select bt_index_check(${`"${name}"`}::regclass, true)`.execute(db).catch((error: Error) => {
      report(`The index ${name} is damaged: ${error.message}`)
    })
  }
}

/** Rows that refer to others which are not there. SQLite only: PostgreSQL sees to it. */
export async function listDangling(db: Db): Promise<string[]> {
  const { rows } = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(db)
  return rows
    .slice(0, MAX_FOUND)
    .map(({ table, parent }) => `A row of ${table} refers to a row of ${parent} that does not exist`)
}

/** Archives that there should be, in the order of their hashes. */
export function listArchives(db: Db, after: string, limit: number): Promise<{ sha256: string }[]> {
  const ready = db.selectFrom('dataExport').select('sha256').distinct().where('sha256', '>', after)
  return ready.orderBy('sha256').limit(limit).$narrowType<{ sha256: string }>().execute()
}

/** Whether an artifact is an archive. */
export async function isArchive(db: Db, sha256: string): Promise<boolean> {
  const exports = db.selectFrom('dataExport').select('id').where('sha256', '=', sha256).limit(1)
  return (await exports.executeTakeFirst()) !== undefined
}
