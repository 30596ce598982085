// Locks are taken in the order that src/contract/capabilities.ts declares: the statements of every write, as they are sent to PostgreSQL. What a
// transaction inserts is its own, and rows under the lock of another row are held with it.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import pg from 'pg'
import { capabilities, lockPlaces } from '../src/contract/capabilities.ts'
import { onPostgres } from './databases.ts'
import { flows, settings } from './every-write.ts'
import { workflowFile } from './library.ts'
import { temporaryDirectory } from './temporary.ts'
import { makeWorld, type World } from './world.ts'

const { query } = pg.Client.prototype

/** What transactions lock against the order, and why none waits for the other for good. The list only gets shorter. */
const exceptions: Readonly<Record<string, string>> = {
  'rateLimit > moderationCase': 'a report is counted for its account, and decisions count nothing of a report',
  'rateLimit > bug': 'a suggestion is counted for its agent alone, and then locks what it is about',
  'searchWord > counter':
    'an import writes several things in a transaction; where another write adds the same new word at that moment, one of them ends as busy: the import goes on by itself',
  'storedBytes > rateLimit':
    'an account changes its picture, whose bytes are counted by a trigger before the change is',
}

/** Under the lock of the row on the left, that on the right needs none of its own: the item of an org goes with it, and gives its slug back. */
const guards: Readonly<Record<string, readonly string[]>> = { orgUpload: ['libraryItem', 'slug'] }

const places = lockPlaces.map(({ tables }): readonly string[] => tables)
const owned = Object.values(capabilities).map(({ tables }): readonly string[] => tables)

/** The statement without what is in its parentheses, so that it names the tables of its own clauses alone. */
function outermost(statement: string): string {
  let text = statement.replace(/'[^']*'/g, "''")
  for (let shorter = ''; shorter !== text; ) {
    shorter = text
    text = text.replace(/\([^()]*\)/g, '#')
  }
  return text
}

/** The tables whose rows a statement inserts, and those whose rows it locks. */
function tablesOf(statement: string): { inserted: string[]; locked: string[] } {
  const all = (pattern: RegExp, text = statement) => [...text.matchAll(pattern)].map(([, table]) => String(table))
  const insertions = all(/insert into "(\w+)"/g)
  const isLocking =
    / for (update|share|no key update)(?! skip locked)/.test(statement) && !/skip locked/.test(statement)
  const read = isLocking ? all(/from "(\w+)"/g, outermost(statement)).slice(0, 1) : []
  const changed = [...all(/(?:^|\W)update "(\w+)"(?: as "\w+")? set/g), ...all(/delete from "(\w+)"/g)]
  const isUpsert = statement.includes('on conflict')
  return { inserted: isUpsert ? [] : insertions, locked: [...read, ...changed, ...(isUpsert ? insertions : [])] }
}

/** Each table that a transaction locks, with those that it had locked before. */
function locksOf(statements: readonly string[]): (readonly [table: string, earlier: readonly string[]])[] {
  const [own, locked] = [new Set<string>(), new Set<string>()]
  return statements.flatMap((statement) => {
    const tables = tablesOf(statement)
    for (const table of tables.inserted) own.add(table)
    return tables.locked.flatMap((table) => {
      if (own.has(table) || locked.has(table)) return []
      const earlier = [...locked]
      locked.add(table)
      return [[table, earlier] as const]
    })
  })
}

const placeIn = (order: readonly (readonly string[])[], table: string) =>
  order.findIndex((tables) => tables.includes(table))

/** The pairs of tables that a transaction locks against the order of a list. */
function wrongIn(order: readonly (readonly string[])[], statements: readonly string[]): string[] {
  return locksOf(statements).flatMap(([table, earlier]) => {
    const place = placeIn(order, table)
    if (place < 0 || earlier.some((one) => guards[one]?.includes(table))) return []
    return earlier.filter((one) => placeIn(order, one) > place).map((one) => `${one} > ${table}`)
  })
}

/** What the flows of every write leave out: a key, and a tag that many see. */
async function keptAndCounted({ alice }: World): Promise<void> {
  await alice.request('/api/community/posts', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'k' },
    body: JSON.stringify({ title: 'T', body: 'B' }),
  })
  await alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public', tags: 'mail' })
}

const seen = new Set<string>()
const wrong = new Map<string, string>()
const open = new WeakMap<object, string[]>()

/** `query` of a client, which reads what a transaction locks when it ends. */
function noted(this: object, ...given: unknown[]): unknown {
  const [statement] = given
  const text = typeof statement === 'string' ? statement : String(Reflect.get(Object(statement), 'text'))
  if (/^\s*(begin|start transaction)/i.test(text)) open.set(this, [])
  const statements = open.get(this)
  statements?.push(text)
  if (statements && /(^|; )(commit|rollback)$/i.test(text)) {
    open.delete(this)
    const isMigration = statements.some((one) => /kysely_migration|create (table|index|function)/.test(one))
    if (!isMigration) note(statements)
  }
  return Reflect.apply(query, this, given)
}

function note(statements: readonly string[]): void {
  for (const [table] of locksOf(statements)) seen.add(table)
  const pairs = [...wrongIn(places, statements), ...wrongIn(owned, statements)]
  for (const pair of pairs) wrong.set(pair, statements.join('\n  '))
}

it('a statement locks the rows that it reads for an update, changes, deletes or inserts where they may be', () => {
  assert.deepEqual(tablesOf('select "id", (select 1 from "user") as x from "bug" where true for update').locked, [
    'bug',
  ])
  assert.deepEqual(tablesOf('select "id" from "inbox" for update skip locked').locked, [])
  assert.deepEqual(tablesOf('update "bug" set "score" = 1').locked, ['bug'])
  assert.deepEqual(tablesOf('insert into "vote" ("id") values ($1) on conflict do nothing').locked, ['vote'])
  assert.deepEqual(tablesOf('insert into "bug" ("id") values ($1)'), { inserted: ['bug'], locked: [] })
})

it('an order that is broken is found', () => {
  const [counter, bug] = ['update "counter" set "count" = 1', 'select "id" from "bug" for update']
  assert.deepEqual(wrongIn(places, [counter, bug]), ['counter > bug'])
  assert.deepEqual(wrongIn(places, [bug, counter]), [])
  assert.deepEqual(wrongIn(owned, ['delete from "comment"', 'delete from "vote"']), ['comment > vote'])
})

onPostgres('every write on PostgreSQL', (openDatabase) => {
  before(() => {
    pg.Client.prototype.query = noted as typeof query
  })
  after(() => {
    pg.Client.prototype.query = query
  })

  for (const [name, flow] of Object.entries({ ...flows, 'what is kept and counted': keptAndCounted })) {
    it(`of ${name} is made, with what follows from it`, async (t) => {
      const database = await openDatabase()
      try {
        const world = await makeWorld(database, { BLOB_URL: `file:${await temporaryDirectory(t)}`, ...settings })
        await flow(world)
        await world.app.deliver()
      } finally {
        await database.remove()
      }
    })
  }

  it('takes its locks in one order', () => {
    const unknown = [...wrong].filter(([pair]) => !(pair in exceptions))
    assert.deepEqual(
      unknown.map(([pair]) => pair),
      [],
      unknown.map(([pair, statements]) => `${pair}\n  ${statements}`).join('\n\n'),
    )
  })

  it('locks something at every place', () => {
    const unseen = [...places, ...owned].flat().filter((table) => !seen.has(table))
    assert.deepEqual(unseen, [])
  })

  it('has no exception that is none any more', () => {
    assert.deepEqual(
      Object.keys(exceptions).filter((pair) => !wrong.has(pair)),
      [],
    )
  })
})
