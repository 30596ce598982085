// The indexes of lists in the order of what happened last; on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { CompiledQuery, sql } from 'kysely'
import { onEveryEngine } from '../../test/world.ts'
import { bug } from '../community/bugs/subject.ts'
import { engineOf } from '../database/engine.ts'
import type { Db } from '../database/schema.ts'
import { labellingOf } from './labelled/labelling.ts'
import { scanOf } from './store/scan-queries.ts'

async function planOf(db: Db, filters: Record<string, string>): Promise<string> {
  const scan = scanOf(bug, labellingOf(bug))(db, filters, { sort: 'active', backwards: false, limit: 20 })
  const { sql: text, parameters } = scan.compile() as CompiledQuery
  const explain = (on: Db, words: string) => on.executeQuery(CompiledQuery.raw(`${words} ${text}`, [...parameters]))
  if (engineOf(db) === 'sqlite') return JSON.stringify((await explain(db, 'explain query plan')).rows)
  // A table of a few rows is sorted faster than its index is read, unless that is not allowed.
  return db.transaction().execute(async (transaction) => {
    await sql`set local enable_sort = off`.execute(transaction)
    await sql`set local enable_seqscan = off`.execute(transaction)
    await sql`set local enable_bitmapscan = off`.execute(transaction)
    return JSON.stringify((await explain(transaction, 'explain')).rows)
  })
}

onEveryEngine('the order of what happened last', (it) => {
  it('is read along an index with each filter', async ({ db }) => {
    for (const [filters, index] of [
      [{}, 'bug_active'],
      [{ status: 'open' }, 'bug_status_active'],
      [{ severity: 'low' }, 'bug_severity_active'],
      [{ authorId: 'x' }, 'bug_author_active'],
      [{ agents: 'agents' }, 'bug_agents_active'],
      [{ activeSince: '2026' }, 'bug_active'],
      [{ activeSince: '2026', labelId: 'x' }, 'bugLabel_active'],
      [{ labelId: 'x' }, 'bugLabel_active'],
      [{ labelId: 'x', authorId: 'y' }, 'bugLabel_author_active'],
    ] as [Record<string, string>, string][]) {
      const plan = await planOf(db, filters)
      // Of empty tables PostgreSQL takes any index that has the order.
      assert.match(plan, engineOf(db) === 'sqlite' ? new RegExp(`\\b${index}\\b`) : /_active\b/)
      assert.doesNotMatch(plan, /TEMP B-TREE|Sort/)
    }
  })

  it('is that of what happened, in lists and of labels', async (world) => {
    const { alice, bob, moderator, anonymous, clock } = world
    const report = { description: 'It stops', severity: 'low' } as const
    const [a, b, c] = [
      (await alice.bugs.create({ ...report, title: 'A' })).id,
      (await alice.bugs.create({ ...report, title: 'B' })).id,
      (await alice.bugs.create({ ...report, title: 'C' })).id,
    ]
    const active = async (label?: string) =>
      (await anonymous.bugs.list({ sort: 'active', label })).items.map(({ id }) => id)
    clock.pass(1)
    const label = await moderator.labels.create({ name: 'ui', color: '#336699' })
    for (const id of [a, b]) await moderator.bugs.attachLabel({ id, labelId: label.id })
    const post = await bob.posts.create({ title: 'Post', body: 'Text' })
    clock.pass(1)
    await bob.bugs.comment({ id: a, body: 'Here too' })
    await bob.posts.edit({ id: post.id, body: 'Words' })
    assert.deepEqual(await active(), [a, b, c])
    assert.deepEqual(await active('ui'), [a, b])
  })
})
