// What a community has when the tallies by author and label, the search of accounts and the richer labels come to it, and
// later the feed by type and the counts of accounts.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { sql } from 'kysely'
import * as ground from '../migrations/0001-ground.ts'
import * as community from '../migrations/0003-community.ts'
import * as feedByType from '../migrations/0010-feed-by-type.ts'
import * as accountsCounted from '../migrations/0011-accounts-counted.ts'
import { openSqlite } from '../src/database/sqlite.ts'
import { temporaryDirectory } from './temporary.ts'

it('brings totals, labels and the search of what was there before', async (t) => {
  const { db } = openSqlite(join(await temporaryDirectory(t), 'old.db'), { synchronous: 'OFF' })
  await ground.up(db)
  for (const statement of [
    `insert into user (id, email, name, role, createdAt, updatedAt) values ('u', 'ann@example.com', 'Ann', 'member', 't', 't')`,
    `insert into bug values ('a', 'A', 'text', 'u', 'open', 'low', 3, 0, 't', 't')`,
    `insert into bug values ('b', 'B', 'text', 'u', 'open', 'low', 0, 0, 't', 't')`,
    `insert into label values ('l', 'ui', 'ui', '#336699')`,
    `insert into bugLabel values ('l', 'a')`,
    `insert into feedEntry values ('a', 'bug', 'A', 'text', 'u', '/a', 3, 0, 't')`,
    `insert into tally values ('bug/open/low', 2)`,
    `insert into searchText (id, type, text) values ('a', 'bug', 'a\ntext')`,
  ]) {
    await sql.raw(statement).execute(db)
  }
  // By its name of then.
  const countsOf = async (kind: string) =>
    (await sql`select * from tally where key like ${`${kind}%`} order by key`.execute(db)).rows
  await community.up(db)
  assert.deepEqual(await countsOf(''), [
    { key: 'bug/all/open/low/', count: 2 },
    { key: 'bug/by/u/open/low/', count: 2 },
    { key: 'bug/label-by/l/u/open/low/', count: 1 },
    { key: 'bug/label/l/open/low/', count: 1 },
    { key: 'feed/by/u/', count: 1 },
  ])
  assert.deepEqual(await db.selectFrom('bugLabel').selectAll().execute(), [
    { labelId: 'l', bugId: 'a', authorId: 'u', status: 'open', severity: 'low', createdAt: 't', score: 3 },
  ])
  const texts = await sql`select n, id, text from searchText order by n`.execute(db)
  assert.deepEqual(texts.rows, [
    { n: 1, id: 'a', text: 'a\ntext' },
    { n: 2 ** 40 + 1, id: 'u', text: 'ann@example.com ann' },
  ])
  await feedByType.up(db)
  assert.deepEqual(await countsOf('feed'), [
    { key: 'feed/all/bug/', count: 1 },
    { key: 'feed/by/u/bug/', count: 1 },
  ])
  await accountsCounted.up(db)
  const accounts = () => countsOf('account')
  assert.deepEqual(await accounts(), [{ key: 'account/all/member/open/', count: 1 }])
  await db.deleteFrom('user').execute()
  assert.deepEqual(await accounts(), [{ key: 'account/all/member/open/', count: 0 }])
  await db.destroy()
})
