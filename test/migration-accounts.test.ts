// What accounts have when sessions learn their last use and their end, and codes lose hashes without a key.
import assert from 'node:assert/strict'
import * as verifiedBy from '../migrations/0013-verified-by.ts'
import * as knownBrowsers from '../migrations/0014-known-browsers.ts'
import { onEveryEngine } from './world.ts'

onEveryEngine('accounts from before', (it) => {
  it('keep their sessions, for 90 days in all, and nothing that gives a code away', async ({ db, alice }) => {
    const { id: userId, email } = await alice.account()
    await db.schema.dropTable('knownBrowser').execute()
    for (const column of ['seenAt', 'authenticatedAt']) {
      await db.schema.alterTable('session').dropColumn(column).execute()
    }
    await db.schema.alterTable('user').dropColumn('emailVerifiedBy').execute()
    await db.deleteFrom('session').execute()
    const session = (id: string, createdAt: string, expiresAt: string) =>
      db.insertInto('session').values({ id, tokenHash: id, userId, createdAt, expiresAt } as never)
    await session('young', '2026-11-01T10:20:30.456Z', '2026-11-12T01:02:03.004Z').execute()
    await session('old', '2026-08-20T10:20:30.456Z', '2026-11-25T01:02:03.000Z').execute()
    const times = { createdAt: '2026-11-01T00:00:00.000Z', expiresAt: '2026-11-01T00:10:00.000Z', usedAt: null }
    const claim = { id: 'claim', email, clientId: 'monoagent', scope: 'openid', failures: 0, ...times }
    await db
      .insertInto('claim')
      .values({ ...claim, codeHash: 'without a key' })
      .execute()

    await verifiedBy.up(db)
    await knownBrowsers.up(db)
    const columns = ['id', 'createdAt', 'seenAt', 'authenticatedAt', 'expiresAt'] as const
    assert.deepEqual(await db.selectFrom('session').select(columns).orderBy('id', 'desc').execute(), [
      {
        id: 'young',
        createdAt: '2026-11-01T10:20:30.456Z',
        seenAt: '2026-11-05T01:02:03.004Z',
        authenticatedAt: '2026-11-01T10:20:30.456Z',
        expiresAt: '2026-11-12T01:02:03.004Z',
      },
      {
        id: 'old',
        createdAt: '2026-08-20T10:20:30.456Z',
        seenAt: '2026-11-18T01:02:03.000Z',
        authenticatedAt: '2026-08-20T10:20:30.456Z',
        expiresAt: '2026-11-18T10:20:30.456Z',
      },
    ])
    assert.deepEqual(await db.selectFrom('emailCode').selectAll().execute(), [])
    assert.equal((await db.selectFrom('claim').select('codeHash').executeTakeFirstOrThrow()).codeHash, '')
    assert.deepEqual(await db.selectFrom('knownBrowser').selectAll().execute(), [])
  })
})
