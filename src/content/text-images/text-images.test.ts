// Pictures in texts through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { erase } from '../../../test/erasure.ts'
import { workflowFile } from '../../../test/library.ts'
import { onePixelDeepPng, tinyPng } from '../../../test/pictures.ts'
import { assertSound } from '../../../test/sound.ts'
import { objectsIn } from '../../../test/stored.ts'
import { longestTurn } from '../../../test/turns.ts'
import { visit } from '../../../test/visitor.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { MAX_CHARACTERS, MAX_DRAFTS } from '../drafts/contract.ts'
import { imagesIn, MAX_ATTACHED } from './queries.ts'
import { LOOSE_SECONDS } from './rules.ts'

const add = async (person: Person) => (await person.textImages.add({ image: await tinyPng() })).url
const statusOf = async ({ anonymous }: World, url: string) => (await anonymous.request(url)).status
const stored = (world: World) => objectsIn(world, 'text-images')
const post = (person: Person, url: string) => person.posts.create({ title: 'T', body: `![a](${url})` })

/** The clean-up, when a picture that no text names is too old. */
async function dayLater({ app, clock }: World): Promise<void> {
  clock.pass(LOOSE_SECONDS + 60)
  await app.cleanUp()
}

onEveryEngine('pictures of texts', (it) => {
  it('are kept as what they are, with their size in the address, and served with nothing that has power', async (world) => {
    const { url, width, height } = await world.alice.textImages.add({ image: await tinyPng() })
    assert.match(url, new RegExp(`^/api/images/text/[0-9a-f-]{36}\\?size=${width}x${height}$`))
    const answer = await world.anonymous.request(url)
    assert.deepEqual(
      ['content-type', 'x-content-type-options', 'cache-control', 'content-security-policy'].map((name) =>
        answer.headers.get(name),
      ),
      [
        'image/png',
        'nosniff',
        'public, max-age=31536000, immutable',
        "sandbox; default-src 'none'; frame-ancestors 'none'",
      ],
    )
  })

  it('are for members, and what is no picture leaves nothing behind', async (world) => {
    const { alice, anonymous, blocked } = world
    const image = await tinyPng()
    await assert.rejects(anonymous.textImages.add({ image }), { status: 401 })
    await assert.rejects(blocked.textImages.add({ image }), { status: 403 })
    const lies = [new Blob([]), new Blob(['<svg/>'], { type: 'image/png' }), onePixelDeepPng(20_000, 20_000)]
    for (const lie of lies) await assert.rejects(alice.textImages.add({ image: lie }), { status: 400 })
    const padded = (bytes: number) => new Blob([image, new Uint8Array(bytes - image.size)])
    await assert.rejects(alice.textImages.add({ image: padded(2 * 1024 * 1024 + 1) }), { status: 400 })
    await assert.rejects(alice.textImages.add({}), { status: 400 })
    assert.deepEqual(await stored(world), [])
    await alice.textImages.add({ image: padded(2 * 1024 * 1024) })
  })

  it('that no text names go after a day; those of texts, edits and drafts stay', async (world) => {
    const { alice, bob } = world
    const [loose, posted, commented, edited, drafted] = await Promise.all(Array.from({ length: 5 }, () => add(alice)))
    const { id } = await post(alice, posted!)
    const comment = await alice.posts.comment({ id, body: `![a](${commented})` })
    await alice.comments.edit({ id: comment.id, body: `![a](${commented}) ![b](${edited})` })
    await alice.drafts.save({ path: '/a', form: 'create', fields: [{ name: 'body', text: `![a](${drafted})` }] })
    // What another account uploaded does not become part of a text.
    const ofBob = await add(bob)
    await alice.posts.edit({ id, body: `![a](${posted}) ![b](${ofBob})` })
    await dayLater(world)
    const statuses = await Promise.all(
      [loose, posted, commented, edited, drafted, ofBob].map((url) => statusOf(world, url!)),
    )
    assert.deepEqual(statuses, [404, 200, 200, 200, 200, 404])
    assert.equal((await stored(world)).length, 4)
    await assertSound(world)
  })

  it('cost the clean-up no more than the drafts of their account, however many there are', async (world) => {
    const { alice, db, clock } = world
    const url = await add(alice)
    const one = await db.selectFrom('textImage').selectAll().executeTakeFirstOrThrow()
    const idOf = (at: number) => `${one.id.slice(0, 24)}${String(at).padStart(12, '0')}`
    const ids = Array.from({ length: 250 }, (_, at) => idOf(at))
    await db
      .insertInto('textImage')
      .values(ids.map((id) => ({ ...one, id })))
      .execute()
    const drafted = ids.slice(0, 150).map((id) => url.replace(one.id, id))
    const text = (at: number) => (at === 0 ? drafted.join(' ') : '').padStart(MAX_CHARACTERS, one.id[0])
    for (let at = 0; at < MAX_DRAFTS; at++) {
      await alice.drafts.save({ path: `/page/${at}`, form: 'create', fields: [{ name: 'body', text: text(at) }] })
    }
    clock.pass(LOOSE_SECONDS + 60)
    const turns = longestTurn()
    await world.app.cleanUp()
    const longest = turns.since()
    turns.end()
    assert.ok(longest < 200, `the event loop stood still for ${longest} ms`)
    const left = await db.selectFrom('textImage').select('id').orderBy('id').execute()
    assert.deepEqual(
      left.map(({ id }) => id),
      ids.slice(0, 150),
    )
  })

  it('go with what they belong to, and count no more', async (world) => {
    const { alice, db } = world
    const url = await add(alice)
    const { id } = await post(alice, url)
    const comment = await alice.posts.comment({ id, body: `![a](${await add(alice)})` })
    await alice.posts.deleteComment({ id, commentId: comment.id })
    await alice.posts.delete({ id })
    assert.equal(await statusOf(world, url), 404)
    await world.app.cleanUp()
    assert.deepEqual(await stored(world), [])
    const { bytes } = await db.selectFrom('storedBytes').select('bytes').executeTakeFirstOrThrow()
    assert.equal(Number(bytes), 0)
  })

  it('are not found while what they belong to is hidden', async (world) => {
    const { alice, moderator } = world
    const url = await add(alice)
    const { id } = await alice.bugs.create({ title: 'T', description: `![a](${url})`, severity: 'low' })
    await world.bob.reports.create({ targetType: 'bug', targetId: id, reason: 'spam' })
    const [waiting] = (await moderator.moderation.cases({})).items
    await moderator.moderation.decide({ id: waiting!.id, action: 'hide', rule: 'spam', reason: 'Look' })
    assert.equal(await statusOf(world, url), 404)
  })

  it('are not found while what their comment is on is hidden or private, or what their thing was merged into', async (world) => {
    const { alice, bob, moderator, admin, app } = world
    const [onBug, onOrg, onItem, merged] = await Promise.all(Array.from({ length: 4 }, () => add(bob)))
    const bug = await alice.bugs.create({ title: 'T', description: 'D', severity: 'low' })
    const org = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] }) })
    const item = await alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
    await bob.bugs.comment({ id: bug.id, body: `![a](${onBug})` })
    await bob.orgs.comment({ id: org.id, body: `![a](${onOrg})` })
    await bob.library.comment({ id: item.id, body: `![a](${onItem})` })
    const same = await bob.bugs.create({ title: 'Same', description: `![a](${merged})`, severity: 'low' })
    await moderator.bugs.merge({ id: same.id, into: bug.id, reason: 'Same' })
    await app.deliver()
    const statuses = () => Promise.all([onBug, onOrg, onItem, merged].map((url) => statusOf(world, url!)))
    assert.deepEqual(await statuses(), [200, 200, 200, 200])
    const acts: string[] = []
    for (const [targetType, { id }] of [
      ['bug', bug],
      ['org', org],
    ] as const) {
      await bob.reports.create({ targetType, targetId: id, reason: 'spam' })
      const [waiting] = (await moderator.moderation.cases({})).items
      await moderator.moderation.decide({ id: waiting!.id, action: 'hide', rule: 'spam', reason: 'Look' })
      acts.push(...(await moderator.moderation.case({ id: waiting!.id })).acts.map((act) => act.id))
    }
    await alice.library.update({ id: item.id, visibility: 'private' })
    assert.deepEqual(await statuses(), [404, 404, 404, 404])
    for (const id of acts) await admin.moderation.undo({ id, reason: 'It was none' })
    await alice.library.update({ id: item.id, visibility: 'public' })
    assert.deepEqual(await statuses(), [200, 200, 200, 200])
    const { id } = await alice.account()
    await moderator.admin.block({ id, blocked: true })
    assert.deepEqual(await statuses(), [404, 404, 404, 404])
  })

  it('of a closed board show to those who read it, in things and in comments, and to no cache', async (world) => {
    const { admin, moderator, bob, anonymous } = world
    await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: moderator' })
    const urls = [await add(moderator), await add(moderator), await add(moderator)]
    const [own, said, moved] = urls
    const inside = await moderator.posts.create({ title: 'T', body: `![a](${own})`, board: 'staff' })
    await moderator.posts.comment({ id: inside.id, body: `![b](${said})` })
    const outside = await moderator.posts.create({ title: 'T', body: 'B' })
    await moderator.posts.comment({ id: outside.id, body: `![c](${moved})` })
    assert.equal((await anonymous.request(moved!)).status, 200)
    await moderator.boards.move({ board: 'staff', type: 'post', id: outside.id, confirm: true, reason: null })
    for (const url of urls) {
      for (const stranger of [anonymous, bob]) assert.equal((await stranger.request(url)).status, 404, url)
      const shown = await moderator.request(url)
      assert.deepEqual([shown.status, shown.headers.get('cache-control')], [200, 'private, no-cache'])
    }
  })

  it('are not found while the account that uploaded them is blocked, also where no text names them', async (world) => {
    const { alice, moderator } = world
    const { id } = await alice.account()
    const urls = [await add(alice), await add(alice)]
    await post(alice, urls[0]!)
    const statuses = () => Promise.all(urls.map((url) => statusOf(world, url)))
    await moderator.admin.block({ id, blocked: true })
    assert.deepEqual(await statuses(), [404, 404])
    await moderator.admin.block({ id, blocked: false })
    assert.deepEqual(await statuses(), [200, 200])
  })

  it('of what was merged come back with it', async (world) => {
    const { alice, moderator, app } = world
    const url = await add(alice)
    const { id } = await post(alice, url)
    const target = await alice.posts.create({ title: 'Target', body: 'B' })
    await moderator.posts.merge({ id, into: target.id, reason: 'Same' })
    await app.deliver()
    await app.cleanUp()
    await moderator.posts.undoMerge({ id, reason: 'Not the same' })
    await dayLater(world)
    assert.equal(await statusOf(world, url), 200)
    await moderator.posts.merge({ id, into: target.id, reason: 'Same' })
    await app.deliver()
    await moderator.posts.delete({ id: target.id, reason: 'Spam' })
    await app.cleanUp()
    assert.equal(await statusOf(world, url), 404)
  })

  it('that are named twice at once belong to one text, whose end is theirs', async (world) => {
    const { alice } = world
    const url = await add(alice)
    const [first, second] = await Promise.all([post(alice, url), post(alice, url)])
    const { thingId } = await world.db.selectFrom('textImage').select('thingId').executeTakeFirstOrThrow()
    const owner = thingId === first.id ? first : second
    await alice.posts.delete({ id: (owner === first ? second : first).id })
    assert.equal(await statusOf(world, url), 200)
    await alice.posts.delete({ id: owner.id })
    assert.equal(await statusOf(world, url), 404)
  })
})

onEveryEngine('pictures of texts at the erasure of their account', (it) => {
  for (const content of ['delete', 'anonymise'] as const) {
    it(`${content === 'delete' ? 'go with what' : 'stay with what stays, and the others go, where what'} the account wrote ${content === 'delete' ? 'goes' : 'stays'}`, async (world) => {
      const { alice, bob, db, app } = world
      await post(bob, await add(bob))
      const [posted, loose, drafted] = await Promise.all([add(alice), add(alice), add(alice)])
      await post(alice, posted!)
      await alice.drafts.save({ path: '/a', form: 'create', fields: [{ name: 'body', text: drafted! }] })
      await erase(world, alice, content)
      await app.cleanUp()
      assert.equal(await statusOf(world, posted!), content === 'delete' ? 404 : 200)
      for (const url of [loose, drafted]) assert.equal(await statusOf(world, url!), 404)
      assert.equal((await stored(world)).length, content === 'delete' ? 1 : 2)
      assert.deepEqual(await db.selectFrom('formDraft').select('id').execute(), [])
      await assertSound(world)
    })
  }
})

onEveryEngine(
  'the budget of pictures of texts',
  (it) => {
    it('is that of images, and their bytes count', async (world) => {
      const who = await visit(world, 'maker', { address: '192.0.2.1' })
      const image = await tinyPng()
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => who.textImages.add({ image })))
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 5)
      await assert.rejects(who.textImages.add({ image }), { status: 429 })
      const { storedBytes } = await who.usage.get()
      const rows = await world.db.selectFrom('textImage').select('size').execute()
      assert.equal(
        storedBytes,
        rows.reduce((sum, { size }) => sum + size, 0),
      )
    })
  },
  { RATE_LIMITS: 'on' },
)

onEveryEngine('addresses of pictures in a text', (it) => {
  it('are found once each, up to a bound', async () => {
    const id = (n: number) => `01a20893-4f99-727a-9a8b-${String(n).padStart(12, '0')}`
    const text = Array.from({ length: MAX_ATTACHED + 5 }, (_, n) => `![a](/api/images/text/${id(n)}?size=1x1)`).join(
      ' ',
    )
    assert.equal(imagesIn([text, text]).length, MAX_ATTACHED)
    assert.deepEqual(imagesIn([`/api/images/text/${id(1)} /api/images/text/x /api/images/org/${id(2)}`]), [id(1)])
  })
})
