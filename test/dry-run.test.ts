// What a dry run says of a write that is not made.
import assert from 'node:assert/strict'
import { DRY_RUNS_A_MINUTE } from '../src/budgets/keys.ts'
import { engineOf } from '../src/database/engine.ts'
import type { Db } from '../src/database/schema.ts'
import { onEveryEngine, type Person } from './world.ts'

const post = (person: Person, path: string, body: unknown, prefer = 'handling=dry-run') =>
  person.request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Prefer: prefer },
    body: JSON.stringify(body),
  })

onEveryEngine('a dry run', (it) => {
  it('says who would hear of it, and tells nobody', async ({ alice, bob, admin, app, person }) => {
    const carol = person('carol')
    await carol.profile.setUsername({ username: 'carol' })
    const { id } = await alice.posts.create({ title: 'Books', body: 'Kept' })
    await bob.follows.set({ id, state: 'following' })
    await admin.webhooks.create({ url: 'https://example.com/hook', events: ['comment.created'] })
    const comment = { body: 'Good ones, @carol' }
    const tried = await post(bob, `/api/community/posts/${id}/comments`, comment)
    assert.equal(tried.status, 201)
    assert.equal(tried.headers.get('dry-run'), 'notifications=2, webhooks=1, mails=0, audit=0')
    await app.deliver()
    assert.equal((await carol.notifications.count()).unread, 0)
    await bob.posts.comment({ id, ...comment })
    await app.deliver()
    const unread = await Promise.all([alice, carol].map(async (who) => (await who.notifications.count()).unread))
    assert.deepEqual(unread, [1, 1])
  })

  it('is asked for by one preference among others, and by nothing else', async ({ alice, db }) => {
    const body = { title: 'T', body: 'B' }
    for (const prefer of ['return=minimal, handling=dry-run', 'Handling="dry-run"; x=1', 'handling = dry-run']) {
      const { headers } = await post(alice, '/api/community/posts', body, prefer)
      assert.equal(headers.get('preference-applied'), 'handling=dry-run', prefer)
    }
    assert.deepEqual(await db.selectFrom('post').select('id').execute(), [])
    const made = await post(alice, '/api/community/posts', body, 'handling=strict, other="handling=dry-run"')
    assert.deepEqual([made.status, made.headers.get('preference-applied')], [201, null])
  })
})

/** Each process counts for itself (`TEST_PROCESSES`). */
const processesOf = (db: Db) => (engineOf(db) === 'postgres' && process.env['TEST_PROCESSES'] === '2' ? 2 : 1)

onEveryEngine(
  'dry runs with limits',
  (it) => {
    it('show what is left of the budget, and are 120 a minute', async ({ alice, clock, db }) => {
      clock.stop()
      const body = { title: 'T', body: 'B' }
      for (let n = 0; n < DRY_RUNS_A_MINUTE * processesOf(db); n++) {
        const { status, headers } = await post(alice, '/api/community/posts', body)
        assert.deepEqual([status, headers.get('ratelimit')?.split(';')[1]], [201, 'r=4'])
      }
      const refused = await post(alice, '/api/community/posts', body)
      assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '60'])
      assert.deepEqual(await db.selectFrom('rateLimit').select('key').where('key', 'like', 'topics:%').execute(), [])
      assert.equal((await alice.posts.create(body)).title, 'T')
      clock.pass(60)
      assert.equal((await post(alice, '/api/community/posts', body)).status, 201)
    })
  },
  { RATE_LIMITS: 'on' },
)
