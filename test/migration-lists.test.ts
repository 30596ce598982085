// What a library and a gallery have when lists become short: large `meta` and charts are cut once, and no `meta` is lost.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import * as ground from '../migrations/0001-ground.ts'
import * as library from '../migrations/0005-library.ts'
import * as shortLists from '../migrations/0021-short-lists.ts'
import { openSqlite } from '../src/database/sqlite.ts'
import { summaryOf } from '../src/library/items/meta-summary.ts'
import { temporaryDirectory } from './temporary.ts'

it('cuts large meta and charts of what was there before, and keeps the whole meta', async (t) => {
  const { db } = openSqlite(`${await temporaryDirectory(t)}/old.db`, { synchronous: 'OFF' })
  await ground.up(db)
  await library.up(db)
  await sql`create table "orgPage" ("orgId" text primary key, name text, goal text, body text, chart text)`.execute(db)
  const large = {
    node_types: Array.from({ length: 3_000 }, (_, n) => `type ${n} é`),
    name: 'x'.repeat(500),
    native: null,
  }
  const metas = [
    { role_count: 3 },
    large,
    { topology: 'é'.repeat(1_500) },
    { topology: 'é'.repeat(2_500), gallery: true },
  ]
  for (const [n, meta] of metas.entries()) {
    await sql`insert into "libraryItem" (id, kind, slug, name, description, keywords, "ownerId", visibility, listed, gallery,
      version, sha256, size, meta, tags, "createdAt", "updatedAt") values (${`i${n}`}, 'workflow', ${`s${n}`}, 'n', '', '', 'u',
      'public', 1, 0, '1.0.0', 'h', 1, ${JSON.stringify(meta)}, '[]', 't', 't')`.execute(db)
    await sql`insert into "itemReading" ("itemId", contents) values (${`i${n}`}, '{}')`.execute(db)
  }
  const chart = (roles: number) =>
    JSON.stringify({ roles: Array(roles).fill({ id: 'a'.repeat(200) }), communication: [] })
  await sql`insert into "orgPage" ("orgId", chart) values ('small', ${chart(1_000)}), ('large', ${chart(2_000)})`.execute(
    db,
  )
  await shortLists.up(db)
  const { rows } = await sql<{ meta: string; whole: string | null }>`select i.meta, r.meta as whole from "libraryItem" i
    join "itemReading" r on r."itemId" = i.id order by i.n`.execute(db)
  const found = rows.map(({ meta, whole }) => ({ meta: JSON.parse(meta), whole: whole && JSON.parse(whole) }))
  assert.deepEqual(found[0], { meta: metas[0], whole: null })
  assert.deepEqual(found[1]!.whole, large)
  assert.ok(rows.every(({ meta }) => Buffer.byteLength(meta) <= 4_096))
  assert.deepEqual([found[1]!.meta.truncated, found[1]!.meta.native], [true, null])
  assert.deepEqual(Object.keys(found[1]!.meta).sort(), Object.keys(summaryOf(large)).sort())
  assert.deepEqual(found[2], { meta: metas[2], whole: null })
  assert.deepEqual(found[3], { meta: { topology: 'é'.repeat(200), gallery: true, truncated: true }, whole: metas[3] })
  const charts = await db.selectFrom('orgPage').select('chart').orderBy('orgId').execute()
  assert.deepEqual(
    charts.map((row) => row.chart === chart(1_000)),
    [true, true],
  )
  await db.destroy()
})
