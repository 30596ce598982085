// Sends every write of a world three times: first as a dry run, which must leave everything as it was, then with an idempotency key, and
// then again with that key, which must change nothing and get the same answer, or hear that it was shown once.
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { api } from '../src/api.ts'
import type { Guildhall } from '../src/app.ts'
import { type Contract, isRepeatable, type Operation } from '../src/contract/operation.ts'
import { engineOf } from '../src/database/engine.ts'
import type { Db } from '../src/database/schema.ts'
import type { Dependencies } from '../src/request/handler.ts'

/** Every operation that can be sent twice and tried, by its name. */
export const repeatable = new Map<string, Operation>(
  Object.entries(api as Record<string, Contract>).flatMap(([slice, contract]) =>
    Object.entries(contract)
      .filter(([, operation]) => isRepeatable(operation))
      .map(([verb, operation]) => [`${slice}.${verb}`, operation] as const),
  ),
)

/** SQLite's indexes of texts show as tables, with numbers that do not fit; they follow theirs. */
const INDEX = /Index(_|$)|^searchTerms/

const tablesOf = new Map<string, string[]>()

async function tablesIn(db: Db): Promise<string[]> {
  const engine = engineOf(db)
  const known = tablesOf.get(engine)
  if (known) return known
  const all = await db.introspection.getTables()
  const names = all.filter(({ isView, name }) => !isView && !INDEX.test(name)).map(({ name }) => name)
  tablesOf.set(engine, names)
  return names
}

/** A dry run uses up the work that it is (behaviour.md, section 8): all else is compared. */
const isWork = (row: unknown): boolean => /^(checks|work):/.test((row as { key?: string }).key ?? '')

/** What was counted of work so far. */
async function workOf(db: Db): Promise<string> {
  const rows = await db.selectFrom('rateLimit').select(['key', 'count']).orderBy('key').execute()
  return JSON.stringify(rows.filter(isWork))
}

/** All rows of all tables but those of work, as one hash for each table. */
async function dumpOf(db: Db): Promise<Record<string, string>> {
  if (engineOf(db) === 'postgres') {
    const each = (await tablesIn(db)).map(
      (name) => sql<{ name: string; hash: string }>`select ${sql.lit(name)} as name,
        md5(coalesce(string_agg(row::text, '|' order by row::text), '')) as hash from ${sql.table(name)} row${
          name === 'rateLimit' ? sql` where key not similar to '(checks|work):%'` : sql``
        }`,
    )
    const { rows } = await sql<{ name: string; hash: string }>`${sql.join(each, sql` union all `)}`.execute(db)
    return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]))
  }
  const dump: Record<string, string> = {}
  for (const name of await tablesIn(db)) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db)
    const kept = name === 'rateLimit' ? rows.filter((row) => !isWork(row)) : rows
    const lines = kept.map((row) =>
      JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    )
    dump[name] = createHash('sha256').update(lines.sort().join('\n')).digest('hex')
  }
  return dump
}

/** Every stored file with its bytes, and what is staged. */
async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(
    files.sort().map(
      async (path) =>
        `${path} ${createHash('sha256')
          .update(await readFile(path))
          .digest('hex')}`,
    ),
  )
}

/** The state of the world outside of memory. */
export async function stateOf({ db, config }: Pick<Dependencies, 'db' | 'config'>) {
  const files = await filesOf(config.blobUrl.slice('file:'.length))
  const tables = await dumpOf(db)
  const work = await workOf(db)
  if (engineOf(db) === 'postgres') return { files, tables, work, version: 0 }
  const { rows } = await sql`pragma data_version`.execute(db)
  return { files, tables, work, version: rows[0] }
}

/** The state now; where only work was counted since `before`, that commit is left out. */
async function sinceIn(before: Awaited<ReturnType<typeof stateOf>>, dependencies: Pick<Dependencies, 'db' | 'config'>) {
  const now = await stateOf(dependencies)
  return now.work === before.work ? now : { ...now, work: before.work, version: before.version }
}

/** The names and types of what an answer holds, without its values. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]))
}

/** What a try cannot know: an approval that is tried makes no act, and so has no answer of it. */
const UNKNOWN: Readonly<Record<string, readonly string[]>> = { 'pendingActs.approve': ['answer', 'made'] }

function knownBefore(text: string, operation: string): unknown {
  const fields = UNKNOWN[operation] ?? []
  return JSON.parse(text, (name, value) => (fields.includes(name) ? null : value))
}

/** The three requests of a write; `onCall` is told of each that was made. */
export function twice(
  { fetch, ...app }: Guildhall,
  dependencies: Dependencies,
  onCall: (name: string, status: number) => void,
): Guildhall {
  const send = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    // What is outside of the contracts knows neither header, and would be done three times.
    const isOperation = pathname.startsWith('/api/') && !pathname.startsWith('/api/auth/oauth2/')
    if (!isOperation || request.method === 'GET' || request.method === 'HEAD') return fetch(request)
    const body = new Uint8Array(await request.arrayBuffer())
    const with_ = (headers: Record<string, string>) => {
      const all = new Headers(request.headers)
      for (const [name, value] of Object.entries(headers)) all.set(name, value)
      return new Request(request.url, { method: request.method, headers: all, body: body.byteLength > 0 ? body : null })
    }
    let operation = ''
    const before = await stateOf(dependencies)
    const dry = await fetch(with_({ Prefer: 'handling=dry-run' }), {
      observe: (name) => {
        operation = name
      },
    })
    if (!repeatable.has(operation)) return fetch(with_({}))
    assert.deepEqual(await sinceIn(before, dependencies), before, `a dry run of ${operation} changes nothing`)
    const key = randomUUID()
    const real = await fetch(with_({ 'Idempotency-Key': `"${key}"` }))
    onCall(operation, real.status)
    const said = await real.clone().text()
    const tried = await dry.text()
    assert.equal(dry.status, real.status, `${operation}: ${tried} | ${said}`)
    if (!real.ok) {
      assert.equal(tried, said, operation)
      return real
    }
    assert.equal(dry.headers.get('preference-applied'), 'handling=dry-run')
    assert.deepEqual(shapeOf(knownBefore(tried, operation)), shapeOf(knownBefore(said, operation)), operation)
    // Who has just ended the session is not known any more.
    if (real.headers.has('set-cookie')) return real
    const after = await stateOf(dependencies)
    const again = await fetch(with_({ 'Idempotency-Key': key }))
    if (repeatable.get(operation)?.shownOnce) {
      assert.deepEqual([again.status, /shown once/.test(await again.text())], [409, true], operation)
    } else {
      assert.equal(again.status, real.status, `${operation}: ${await again.clone().text()}`)
      assert.equal(await again.text(), said, operation)
      assert.equal(again.headers.get('idempotency-replayed'), 'true')
    }
    assert.deepEqual(await stateOf(dependencies), after, `${operation} again changes nothing`)
    return real
  }
  return { ...app, fetch: send }
}
