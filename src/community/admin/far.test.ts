import assert from 'node:assert/strict'
import { onEveryEngine } from '../../../test/world.ts'
import { listUsers } from './queries.ts'

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
    const filters = [{}, { role: 'member' }, { blocked: false }, { role: 'member', blocked: false }] as const
    for (const filter of filters) {
      const whole = await listUsers(db, { q: undefined, ...filter }, { offset: 0, limit: 3_000 })
      assert.ok(whole.length > 2_050)
      for (const offset of [1_999, 2_000, 2_001, 2_040]) {
        const page = await listUsers(db, { q: undefined, ...filter }, { offset, limit: 20 })
        assert.deepEqual(page, whole.slice(offset, offset + 20))
      }
      const end = await listUsers(db, { q: undefined, ...filter }, { offset: whole.length - 5, limit: 20 })
      assert.deepEqual(end, whole.slice(-5))
    }
  })
})
