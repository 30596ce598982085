// Digests for guests on the site, as a browser without script uses them, and as mail programs end them.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
import { onEveryEngine, type World } from './world.ts'

const email = 'guest@example.com'

const page = async ({ anonymous }: Pick<World, 'anonymous'>, path: string) => {
  const response = await anonymous.request(path, { redirect: 'manual' })
  return response.status === 200 ? response.text() : String(response.status)
}

const confirmedOf = async ({ db }: World) =>
  (await db.selectFrom('guestDigest').select('confirmedAt').execute()).map(({ confirmedAt }) => confirmedAt !== null)

onEveryEngine(
  'a digest for a guest on the site',
  (it) => {
    it('is asked for by a form, confirmed by a button, and ended by a mail program', async (world) => {
      const { anonymous, alice, app, clock, mails } = world
      assert.match(await page(world, '/community'), /href="\/digest"/)
      assert.match(await page(world, '/digest'), /name="email"/)
      const asked = await submit(anonymous, '/digest?/ask', { email })
      assert.match(await asked.text(), /Check your inbox/)
      const [, path = ''] = /http:\/\/localhost:3000(\/digest\?token=\S+)/.exec((await mails(email))[0]!.body) ?? []
      assert.match(await page(world, path), /Confirm that you want these emails/)
      assert.deepEqual(await confirmedOf(world), [false], 'reading the page changes nothing')
      const begun = await submit(anonymous, path.replace('?', '?/confirm&'), {})
      assert.match(await begun.text(), /at most once a day/)
      assert.deepEqual(await confirmedOf(world), [true])
      clock.pass(60)
      await alice.posts.create({ title: 'P', body: 'B' })
      clock.pass(86_400)
      await app.deliver()
      const { pathname, search } = new URL((await mails(email)).at(-1)!.unsubscribeUrl!)
      assert.match(await page(world, pathname + search), /we delete your address/)
      const forged = await submit(anonymous, `${pathname}${search}x`, { 'List-Unsubscribe': 'One-Click' })
      assert.deepEqual([forged.status, await confirmedOf(world)], [404, [true]])
      const ended = await submit(anonymous, pathname + search, { 'List-Unsubscribe': 'One-Click' })
      assert.deepEqual([ended.status, await confirmedOf(world)], [200, []])
    })

    it('is of an open board alone', async (world) => {
      const { admin, anonymous, mails } = world
      await admin.boards.create({ slug: 'tools', name: 'Tools', readers: 'everyone' })
      await admin.boards.create({ slug: 'inner', name: 'Inner', readers: 'members' })
      assert.match(await page(world, '/community/boards/tools'), /href="\/digest\?board=tools"/)
      assert.match(await page(world, '/digest?board=tools'), /what is new in Tools/)
      for (const board of ['inner', 'none']) assert.equal(await page(world, `/digest?board=${board}`), '404')
      await submit(anonymous, '/digest?/ask&board=tools', { email })
      assert.equal((await mails(email)).length, 1)
    })
  },
  { GUEST_DIGEST: 'on' },
)

onEveryEngine('where no digests are mailed to guests', (it) => {
  it('no page offers any', async (world) => {
    assert.equal(await page(world, '/digest'), '404')
    assert.doesNotMatch(await page(world, '/community'), /href="\/digest"/)
  })
})
