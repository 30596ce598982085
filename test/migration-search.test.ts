// What a community has when the search over everything comes: the server finds all of it after its start. A database that has documents
// already is left as it is.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { engineOf } from '../src/database/engine.ts'
import { buildSearch, isBuilt } from '../src/search/building.ts'
import { searchSources } from '../src/search-sources.ts'
import { onOldDatabase } from './old-databases.ts'

const rows = [
  `insert into "user" (id, email, name, username, "usernameKey", role, "createdAt", "updatedAt")
    values ('u', 'ann@example.com', 'Ann', 'ann', 'ann', 'member', 't', 't')`,
  `insert into bug (id, title, description, "authorId", status, severity, score, "commentCount", "createdAt", "updatedAt")
    values ('b', 'A *bug*', 'It stalls', 'u', 'open', 'low', 0, 1, 't', 't')`,
  `insert into "feedEntry" (id, type, title, preview, "authorId", url, score, "commentCount", "createdAt")
    values ('b', 'bug', 'A *bug*', 'It stalls', 'u', '/community/bugs/b', 0, 1, '2026-11-20T09:30:00.000Z')`,
  `insert into comment (id, "targetId", "targetType", "authorId", body, "createdAt") values ('c', 'b', 'bug', 'u', 'Again', 't')`,
]

const document = { id: 'b', title: 'A *bug*', url: '/community/bugs/b' }

onOldDatabase('finds what there was before the search', '0027-search', async ({ db, run, upgrade }) => {
  await run(...rows)
  await upgrade()
  assert.equal(await isBuilt(db), false)
  await buildSearch({ db, sources: searchSources, now: () => 't' })
  assert.equal(await isBuilt(db), true)
  const found = await db.selectFrom('searchDocument').select(['id', 'title', 'url']).orderBy('id').execute()
  assert.deepEqual(found, [
    document,
    { id: 'c', title: '', url: '/community/comments/c' },
    { id: 'u', title: 'Ann', url: '/community/u/ann' },
  ])
})

onOldDatabase('has nothing to build without accounts', '0027-search', async ({ db, upgrade }) => {
  await upgrade()
  assert.equal(await isBuilt(db), true)
})

onOldDatabase('leaves the documents that there are', '0042-search-build', async ({ db, run, upgrade }) => {
  await run(...rows.slice(0, 1))
  const none = { authorId: null, parentType: null, parentId: null, createdAt: null }
  const terms = engineOf(db) === 'postgres' ? { terms: sql<string>`''::tsvector` } : {}
  await db
    .insertInto('searchDocument')
    .values({ rowId: 1, type: 'bug', counted: 0, names: '', body: '', ...none, ...document, ...terms })
    .execute()
  await upgrade()
  assert.equal(await isBuilt(db), true)
})

onOldDatabase('finds things by what was merged into them before', '0049-search', async ({ db, run, upgrade }) => {
  await run(...rows)
  const merged = { id: 'm', type: 'bug', number: 7, targetId: 'b', directId: 'b', title: 'A wombat', text: 'It runs' }
  const rest = { authorId: 'u', createdAt: 't', editedAt: null, status: 'open', revisionCount: 0, statusChangeCount: 0 }
  const act = { labels: '[]', mergedBy: 'u', mergedAt: 't', reason: null, doneAt: 't', record: null, hidden: 0 }
  await db
    .insertInto('mergedThing')
    .values({ ...merged, ...rest, ...act })
    .execute()
  await upgrade()
  assert.equal(await isBuilt(db), false)
  await buildSearch({ db, sources: searchSources, now: () => 't' })
  const { names } = await db
    .selectFrom('searchDocument')
    .select('names')
    .where('id', '=', 'b')
    .executeTakeFirstOrThrow()
  assert.equal(names, 'A wombat')
})

onOldDatabase(
  'reads the files of workflows again for what steps are called',
  '0141-step',
  async ({ db, run, upgrade }) => {
    await run(`update "useFilling" set "after" = 'z', "doneAt" = 't'`)
    await upgrade()
    const filling = db.selectFrom('job').select(['cursor', 'doneAt']).where('kind', '=', 'library.backfill')
    assert.deepEqual(await filling.execute(), [{ cursor: '', doneAt: null }])
  },
)
