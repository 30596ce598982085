// Drafts of forms through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { tokenOf } from '../../../test/mcp/caller.ts'
import { onEveryEngine, type Person } from '../../../test/world.ts'
import { FORM, MAX_CHARACTERS, MAX_DRAFTS, MAX_FIELDS, PAGE } from './contract.ts'

const path = '/community/bugs/new'
const saved = (text: string) => ({ path, form: 'create', fields: [{ name: 'title', text }] })
const texts = async (person: Person, at = path) =>
  (await person.drafts.list({ path: at })).items.map(({ form, fields }) => [form, ...fields.map(({ text }) => text)])

onEveryEngine('drafts of forms', (it) => {
  it('are kept by page and form, the last one of each, and forgotten when told', async ({ alice }) => {
    assert.deepEqual(await texts(alice), [])
    await alice.drafts.save(saved('A first'))
    await alice.drafts.save(saved('A second'))
    await alice.drafts.save({ ...saved('Elsewhere'), form: 'comment' })
    await alice.drafts.save({ ...saved('On another page'), path: '/community/posts/new' })
    assert.deepEqual(await texts(alice), [
      ['comment', 'Elsewhere'],
      ['create', 'A second'],
    ])
    assert.deepEqual(await alice.drafts.delete({ path, form: 'create' }), { deleted: true })
    assert.deepEqual(await alice.drafts.delete({ path, form: 'create' }), { deleted: false })
    assert.deepEqual(await texts(alice), [['comment', 'Elsewhere']])
  })

  it('are for their account alone, with a session', async (world) => {
    const { alice, bob, anonymous, blocked, app } = world
    await alice.drafts.save(saved('Mine'))
    assert.deepEqual(await texts(bob), [])
    await bob.drafts.delete({ path, form: 'create' })
    assert.deepEqual(await texts(alice), [['create', 'Mine']])
    await assert.rejects(anonymous.drafts.list({ path }), { status: 401 })
    await assert.rejects(anonymous.drafts.save(saved('x')), { status: 401 })
    await assert.rejects(blocked.drafts.save(saved('x')), { status: 403 })
    const authorization = `Bearer ${await tokenOf(world, alice)}`
    const byToken = await app.fetch(
      new Request(`http://localhost:3000/api/community/drafts?path=${path}`, { headers: { authorization } }),
    )
    assert.equal(byToken.status, 401)
  })

  it('have bounds: characters, fields, names', async ({ alice }) => {
    await alice.drafts.save(saved('x'.repeat(MAX_CHARACTERS)))
    await assert.rejects(alice.drafts.save(saved('x'.repeat(MAX_CHARACTERS + 1))), { status: 400 })
    const half = 'x'.repeat(MAX_CHARACTERS / 2)
    const two = (second: string) => ({
      ...saved(''),
      fields: [
        { name: 'title', text: half },
        { name: 'body', text: second },
      ],
    })
    await alice.drafts.save(two(half))
    await assert.rejects(alice.drafts.save(two(`${half}x`)), { status: 400, message: /60,000 characters together/ })
    const many = (count: number) => ({
      ...saved(''),
      fields: Array.from({ length: count }, (_, at) => ({ name: `f${at}`, text: '' })),
    })
    await alice.drafts.save(many(MAX_FIELDS))
    await assert.rejects(alice.drafts.save(many(MAX_FIELDS + 1)), { status: 400 })
    await assert.rejects(alice.drafts.save(many(0)), { status: 400 })
    for (const wrong of ['https://evil.example/', '//evil.example', '/a?b=c', '/a#b', 'a', `/${'x'.repeat(300)}`]) {
      await assert.rejects(alice.drafts.save({ ...saved('x'), path: wrong }), { status: 400 }, wrong)
    }
    for (const form of ['', 'a b', `${'x'.repeat(31)}`, 'edit:', 'edit:a/b']) {
      await assert.rejects(alice.drafts.save({ ...saved('x'), form }), { status: 400 }, form)
    }
    const began = performance.now()
    assert.ok(
      !PAGE.test(`/${'a'.repeat(280)}'`) && !PAGE.test(`${'/aaaa'.repeat(56)}'`) && PAGE.test(`${'/aaaa'.repeat(56)}/`),
    )
    assert.ok(performance.now() - began < 1_000)
    assert.ok(PAGE.test('/') && PAGE.test('/community/u/mira') && FORM.test('editComment:0198-ab'))
  })

  it(`are ${MAX_DRAFTS} of an account: one more takes the place of the oldest`, async ({ alice, bob, clock }) => {
    await bob.drafts.save(saved('of bob'))
    const at = (index: number) => ({ ...saved(`number ${index}`), path: `/page/${index}` })
    for (let index = 0; index < MAX_DRAFTS; index++) {
      await alice.drafts.save(at(index))
      clock.pass(1)
    }
    assert.equal((await texts(alice, '/page/0')).length, 1)
    await alice.drafts.save(at(0))
    clock.pass(1)
    await alice.drafts.save(at(MAX_DRAFTS))
    const counts = await Promise.all([0, 1, 2, MAX_DRAFTS].map(async (n) => (await texts(alice, `/page/${n}`)).length))
    assert.deepEqual(counts, [1, 0, 1, 1])
    assert.deepEqual(await texts(bob), [['create', 'of bob']])
  })

  it('of one form that are saved at once leave one, and of many forms no more than there may be', async (world) => {
    const { alice, db } = world
    await alice.drafts.save(saved('first'))
    await Promise.all(Array.from({ length: 8 }, (_, index) => alice.drafts.save(saved(`text ${index}`))))
    assert.equal((await texts(alice)).length, 1)
    const pages = Array.from({ length: MAX_DRAFTS + 6 }, (_, index) => ({ ...saved('x'), path: `/many/${index}` }))
    await Promise.all(pages.map((one) => alice.drafts.save(one)))
    assert.equal((await db.selectFrom('formDraft').select('id').execute()).length, MAX_DRAFTS)
  })

  it('are forgotten after 30 days', async ({ alice, app, clock, db }) => {
    const count = async () => (await db.selectFrom('formDraft').select('id').execute()).length
    await alice.drafts.save(saved('Old'))
    clock.pass(30 * 86_400 - 3600)
    await app.cleanUp()
    assert.equal(await count(), 1)
    clock.pass(7200)
    await app.cleanUp()
    assert.equal(await count(), 0)
  })

  it('are forgotten as the operator sets it', async ({ alice, app, clock, db, admin }) => {
    const count = async () => (await db.selectFrom('formDraft').select('id').execute()).length
    await alice.drafts.save(saved('Newer'))
    clock.pass(2 * 86_400 + 60)
    await app.cleanUp()
    assert.equal(await count(), 1)
    await admin.settings.change({ changes: { KEEP_DRAFTS_DAYS: '2' } })
    await app.cleanUp()
    assert.equal(await count(), 0)
    for (const KEEP_DRAFTS_DAYS of ['0', '366', '1.5', '-1']) {
      await assert.rejects(admin.settings.change({ changes: { KEEP_DRAFTS_DAYS } }), { status: 400 })
    }
    for (const KEEP_DRAFTS_DAYS of ['1', '365']) await admin.settings.change({ changes: { KEEP_DRAFTS_DAYS } })
  })
})

onEveryEngine(
  'the budget of drafts',
  (it) => {
    it('is 300 an hour until the email is verified', async ({ alice, db, clock }) => {
      await alice.drafts.save(saved('x'))
      const own = db.updateTable('rateLimit').set({ count: 299 }).where('key', 'like', 'drafts:account:%')
      await own.execute()
      await alice.drafts.save(saved('y'))
      await assert.rejects(alice.drafts.save(saved('z')), { status: 429, message: /At most 300 changes of drafts/ })
      assert.deepEqual(await texts(alice), [['create', 'y']])
      clock.pass(3601)
      await alice.drafts.save(saved('z'))
    })
  },
  { RATE_LIMITS: 'on' },
)
