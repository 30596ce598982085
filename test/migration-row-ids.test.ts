// What a database has when its small keys get other names and the totals of the library become counters: every row and every index stays.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { engineOf } from '../src/database/engine.ts'
import type { Db } from '../src/database/schema.ts'
import { newestMatches } from '../src/database/search.ts'
import { findItems } from '../src/library/finding/search.ts'
import { onOldDatabase } from './old-databases.ts'

const item = (n: number, { owner = 'u', kind = 'workflow', visibility = 'public', listed = 1 } = {}) => [
  `insert into "libraryItem" (id, kind, slug, name, description, keywords, "ownerId", visibility, listed, gallery, version, sha256, size,
    meta, tags, "createdAt", "updatedAt") values ('i${n}', '${kind}', 's${n}', 'n', '', '', '${owner}', '${visibility}', ${listed}, 0,
    '1.0.0', 'x', 1, '{}', '[]', 't', 't${n}')`,
  `insert into "itemText" (n, text, owner, shelf)
    values (${n}, 'harbor ${n}', 'ann', '${listed ? `pub ${visibility === 'official' ? 'off ' : ''}${kind.slice(0, 3)}` : ''}')`,
]

const rows = [
  `insert into "user" (id, email, name, username, "usernameKey", role, "createdAt", "updatedAt")
    values ('u', 'ann@example.com', 'Ann', 'Ann', 'ann', 'member', 't', 't')`,
  ...item(1),
  ...item(2, { kind: 'org', visibility: 'official' }),
  ...item(3, { visibility: 'private', listed: 0 }),
  ...item(4, { owner: 'other' }),
  `insert into "itemCount" (scope, tag, count) values ('public', '', 3), ('public', 'mail', 1)`,
  `insert into event (id, kind, "targetType", "targetId", title, url, excerpt, "createdAt", mentioned, place, recipients)
    values ('e', 'comment', 'bug', 'b', '', '', '', 't', '[]', '', 1)`,
  `insert into inbox ("userId", last, unread) values ('u', 7, 1)`,
  `insert into notification ("userId", n, "eventId", kind, read, "createdAt") values ('u', 7, 'e', 'comment', 0, 't')`,
]

const document = (postgres: boolean) =>
  `insert into "searchDocument" (n, id, type, counted, title, names, url, body${postgres ? ', terms' : ''})
    values (5, 'd', 'bug', 0, 'A quokka', '', '/', ''${postgres ? `, 'quokka'` : ''})`

const text = (n: number, place: number) =>
  `insert into "searchText" (${place === 0 ? '' : 'n, '}id, type, text) values (${place === 0 ? '' : `${place}, `}'b${n}', 'bug', 'quokka ${n}')`

/** What the indexes are of. The columns with new names are all the same here. */
async function indexesOf(db: Db): Promise<string[]> {
  const all =
    engineOf(db) === 'sqlite'
      ? sql<{ index: string }>`select coalesce(sql, name) as "index" from sqlite_master where type = 'index'`
      : sql<{ index: string }>`select indexdef as "index" from pg_indexes where schemaname = 'public'`
  const { rows } = await all.execute(db)
  return rows.map(({ index }) => index.replaceAll(/"(n|rowId|position)"|(?<=[( ])n(?=[,)])/g, '#'))
}

const everything = { scope: 'public', kind: undefined, ownerId: '' } as const

const found = async (db: Db, q: string, filters: Partial<Parameters<typeof findItems>[1]['filters']> = {}) => {
  const list = { filters: { ...everything, ...filters }, wanted: { q, tag: '' }, sort: 'latest' } as const
  const { items, total } = await findItems(db, { ...list, page: 0, per_page: 10 })
  return { ids: items.map(({ id }) => id), total }
}

onOldDatabase('keeps every row, index and total under other names', '0040-row-ids', async ({ db, run, upgrade }) => {
  const isSqlite = engineOf(db) === 'sqlite'
  const first = isSqlite ? -(2 ** 40) : 0
  await run(...rows, document(!isSqlite), text(1, first), text(2, first && first - 1))
  const before = await indexesOf(db)
  await upgrade('0041-item-totals')
  const after = new Set(await indexesOf(db))
  assert.deepEqual(
    before.filter((index) => !after.has(index)),
    [],
  )
  await upgrade()
  const rowIds = db.selectFrom('libraryItem').select(['rowId', 'id']).orderBy('rowId')
  assert.deepEqual(
    (await rowIds.execute()).map(({ rowId, id }) => `${rowId} ${id}`),
    ['1 i1', '2 i2', '3 i3', '4 i4'],
  )
  assert.deepEqual(await found(db, ''), { ids: ['i4', 'i2', 'i1'], total: 3 })
  assert.deepEqual(await found(db, '', { kind: 'workflow' }), { ids: ['i4', 'i1'], total: 2 })
  assert.deepEqual(await found(db, '', { scope: 'official' }), { ids: ['i2'], total: 1 })
  assert.deepEqual(await found(db, '', { scope: 'mine', ownerId: 'u' }), { ids: ['i3', 'i2', 'i1'], total: 3 })
  assert.deepEqual(await found(db, 'harbor', { kind: 'org' }), { ids: ['i2'], total: 1 })
  assert.deepEqual(await found(db, 'arbor 4'), { ids: ['i4'], total: 1 })
  assert.deepEqual(await db.selectFrom('itemCount').selectAll().execute(), [{ scope: 'public', tag: 'mail', count: 1 }])
  assert.deepEqual(await db.selectFrom('notification').select(['position', 'eventId']).execute(), [
    { position: 7, eventId: 'e' },
  ])
  assert.deepEqual(await db.selectFrom('searchDocument').select(['rowId', 'id']).execute(), [{ rowId: 5, id: 'd' }])
  await changesAreFound(db)
})

/** The triggers and the indexes of full text know the new names. */
async function changesAreFound(db: Db): Promise<void> {
  await db.updateTable('user').set({ usernameKey: 'harbourmaster' }).execute()
  assert.equal((await found(db, 'bourmas')).total, 2)
  await db.updateTable('itemText').set({ text: 'mooring', facets: 'pub off org' }).where('rowId', '=', 2).execute()
  assert.deepEqual(await found(db, 'mooring', { scope: 'official' }), { ids: ['i2'], total: 1 })
  await db.deleteFrom('libraryItem').where('rowId', '=', 1).execute()
  assert.deepEqual((await found(db, 'harbor')).ids, ['i4'])
  const quokkas = async () =>
    (await sql<{ id: string }>`select id from ${newestMatches(db, 'bug', ['quokka'])} found`.execute(db)).rows
  assert.deepEqual((await quokkas()).length, 2)
  await db.deleteFrom('searchText').where('id', '=', 'b1').execute()
  assert.deepEqual(await quokkas(), [{ id: 'b2' }])
  if (engineOf(db) === 'postgres') return
  for (const index of ['searchIndex', 'itemTextIndex']) {
    const table = sql.table(index)
    await sql`insert into ${table} (${table}, rank) values ('integrity-check', 1)`.execute(db)
    await sql`insert into ${table} (${table}) values ('rebuild')`.execute(db)
  }
  assert.deepEqual(await quokkas(), [{ id: 'b2' }])
  assert.deepEqual((await found(db, 'harbor')).ids, ['i4'])
}
