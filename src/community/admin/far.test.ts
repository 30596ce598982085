// Pages far down the lists of administration.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { onEveryEngine } from '../../../test/world.ts'
import { engineOf } from '../../database/engine.ts'
import { pageOfUsers } from './queries.ts'

onEveryEngine('accounts far down the list', (it) => {
  it('are the same as in one long page, whatever they are filtered by', async ({ db }) => {
    const accounts = Array.from({ length: 2_300 }, (_, n) => ({
      id: `account-${n}`,
      email: `account-${n}@example.com`,
      role: n % 30 === 0 ? ('moderator' as const) : ('member' as const),
      blockedAt: n % 40 === 1 ? '2026-11-20T09:30:00.000Z' : null,
      createdAt: `2026-11-20T09:30:${String(n % 60).padStart(2, '0')}.000Z`,
      updatedAt: '2026-11-20T09:30:00.000Z',
    }))
    for (let n = 0; n < accounts.length; n += 100) {
      await db
        .insertInto('user')
        .values(accounts.slice(n, n + 100))
        .execute()
    }
    // The table was empty when PostgreSQL last counted it: then it compares each row with each of thousands of ids.
    if (engineOf(db) === 'postgres') await sql`analyze "user"`.execute(db)
    const filters = [{}, { role: 'member' }, { blocked: false }, { role: 'member', blocked: false }] as const
    for (const filter of filters) {
      const list = (page: number, per_page: number) =>
        pageOfUsers(db, { q: undefined, role: undefined, blocked: undefined, ...filter, page, per_page })
      const { items: whole, total } = await list(0, 3_000)
      assert.ok(whole.length > 2_050)
      assert.equal(total, whole.length)
      for (const page of [0, 1, 50, 99, 100, 101, Math.floor((total - 1) / 20), Math.ceil(total / 20)]) {
        const { items, hasMore } = await list(page, 20)
        assert.deepEqual(items, whole.slice(page * 20, page * 20 + 20))
        assert.equal(hasMore, (page + 1) * 20 < total)
      }
    }
  })
})
