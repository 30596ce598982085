// Pictures of orgs and of people, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import sharp from 'sharp'
import { onePixelDeepPng, tinyPicture, tinyPng } from '../../../../test/pictures.ts'
import { filesOnDisk, objectsIn } from '../../../../test/stored.ts'
import { onEveryEngine, type Person, type World } from '../../../../test/world.ts'

const MAX_BYTES = 2 * 1024 * 1024
const upload = (person: Person) =>
  person.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] }) })

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
const padded = async (bytes: number) => {
  const png = await tinyPng()
  return new Blob([png, new Uint8Array(bytes - png.size)], { type: 'image/png' })
}
/** Files that are no pictures, whatever they say; each as if it were a PNG by name and type. */
const lies: Record<string, () => Blob | Promise<Blob>> = {
  nothing: () => new Blob([]),
  'an SVG': () => new Blob([drawing], { type: 'image/svg+xml' }),
  'an SVG that says it is a PNG': () => new File([drawing], 'a.png', { type: 'image/png' }),
  'a page': () => new File(['<!doctype html><script>alert(1)</script>'], 'a.png', { type: 'image/png' }),
  'a page behind the first bytes of a PNG': () => new Blob(['\x89PNG\r\n\x1a\n', '<!doctype html>']),
  'a GIF': () => tinyPicture('gif'),
  'a bomb': () => onePixelDeepPng(20_000, 20_000),
}

/** Tries every lie and every size too large, and finds nothing kept of them. */
async function refuseLies(world: World, send: (image: Blob) => Promise<unknown>) {
  const before = await filesOnDisk(world)
  for (const [name, lie] of Object.entries(lies)) {
    await assert.rejects(send(await lie()), { status: 400 }, name)
  }
  await assert.rejects(send(await padded(MAX_BYTES + 1)), { status: 400 })
  assert.deepEqual(await filesOnDisk(world), before)
}

onEveryEngine('pictures', (it) => {
  it('of an org are kept as what they are, without anything else in them', async (world) => {
    const { alice, anonymous } = world
    const { id, slug } = await upload(alice)
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const source = await sharp(await (await tinyPicture(format)).arrayBuffer())
        .withExif({ IFD0: { Copyright: 'secret-name' } })
        .toFormat(format)
        .toBuffer()
      const lyingType = new File([new Uint8Array(source)], 'page.html', { type: 'text/html' })
      const { url, width, height } = await alice.orgImages.add({ id: slug, image: lyingType })
      assert.deepEqual([width, height], [8, 8])
      assert.match(url, /^\/api\/images\/org\/[0-9a-f-]{36}$/)
      const answer = await anonymous.request(url)
      const headers = ['content-type', 'x-content-type-options', 'cache-control'].map((name) =>
        answer.headers.get(name),
      )
      assert.deepEqual(headers, [`image/${format}`, 'nosniff', 'public, max-age=31536000, immutable'])
      const bytes = Buffer.from(await answer.arrayBuffer())
      assert.deepEqual([bytes.includes('secret-name'), (await sharp(bytes).metadata()).format], [false, format])
      assert.equal(answer.headers.get('content-length'), String(bytes.length))
      const etag = answer.headers.get('etag')!
      assert.equal((await anonymous.request(url, { headers: { 'If-None-Match': etag } })).status, 304)
      await alice.orgs.update({ id, bannerUrl: url })
    }
    assert.equal((await objectsIn(world, 'org-images')).length, 3)
  })

  it('of an org are for its owner, moderators and admins to add', async (world) => {
    const { alice, bob, moderator, admin, db } = world
    const { id } = await upload(alice)
    const image = await tinyPng()
    await assert.rejects(bob.orgImages.add({ id, image }), { status: 403, message: 'Forbidden' })
    await assert.rejects(alice.orgImages.add({ id: 'nothing', image }), { status: 404 })
    // What is sent is looked at before what it is for (behaviour.md, section 2).
    const svg = new Blob(['<svg/>'])
    await assert.rejects(bob.orgImages.add({ id, image: svg }), { status: 400, message: /must be a PNG/ })
    await assert.rejects(alice.orgImages.add({ id: 'nothing', image: svg }), { status: 400 })
    for (const person of [alice, moderator, admin]) await person.orgImages.add({ id, image })
    assert.equal((await db.selectFrom('orgImage').selectAll().execute()).length, 3)
    await moderator.orgImages.add({ id, image, reason: 'The old one was gone' })
    const { items } = await admin.admin.listAudit({ targetId: id })
    assert.deepEqual(
      items.map(({ action, reason, detail }) => [action, reason, Object.keys(detail!)]),
      [
        ['org.addImage', 'The old one was gone', ['authorId', 'imageId']],
        ['org.addImage', null, ['authorId', 'imageId']],
        ['org.addImage', null, ['authorId', 'imageId']],
      ],
    )
  })

  it('of an org are told by their bytes, and nothing is kept of what is refused', async (world) => {
    const { alice } = world
    const { id } = await upload(alice)
    await refuseLies(world, (image) => alice.orgImages.add({ id, image }))
    const image = await tinyPng()
    await assert.rejects(alice.orgImages.add({ id, image: [image, image] }), { status: 400 })
    await assert.rejects(alice.orgImages.add({ id }), { status: 400, message: 'image: a file is required' })
    await alice.orgImages.add({ id, image: await padded(MAX_BYTES) })
  })

  it('of people are kept under one key, and the last one counts', async (world) => {
    const { alice, anonymous, clock } = world
    const { id } = await alice.account()
    assert.equal((await alice.profile.me()).avatarUrl, null)
    await assert.rejects(anonymous.avatars.show({ userId: id }), { status: 404 })
    const first = await alice.avatars.set({ avatar: await tinyPng() })
    assert.deepEqual(first, { avatarKey: `avatars/${id}`, updatedAt: first.updatedAt })
    const address = (await alice.profile.me()).avatarUrl!
    assert.equal(address, `/api/images/avatar/${first.avatarKey}?v=${Date.parse(first.updatedAt)}`)
    const shown = await anonymous.request(address)
    const headers = ['content-type', 'x-content-type-options', 'cache-control'].map((name) => shown.headers.get(name))
    assert.deepEqual(headers, ['image/png', 'nosniff', 'public, max-age=31536000, immutable'])
    const etag = shown.headers.get('etag')!
    assert.equal((await anonymous.request(address, { headers: { 'If-None-Match': etag } })).status, 304)
    clock.pass(1)
    const second = await alice.avatars.set({ avatar: await tinyPicture('webp') })
    assert.ok(second.updatedAt > first.updatedAt)
    const next = await anonymous.request((await alice.profile.me()).avatarUrl!)
    assert.equal(next.headers.get('content-type'), 'image/webp')
    assert.notEqual(next.headers.get('etag'), etag)
    assert.deepEqual(await objectsIn(world, 'avatars'), [`avatars/${id}`])
  })

  it('of people are not found while the account is blocked', async (world) => {
    const { alice, anonymous, moderator } = world
    const { id } = await alice.account()
    await alice.avatars.set({ avatar: await tinyPng() })
    const address = (await alice.profile.me()).avatarUrl!
    const status = async () => (await anonymous.request(address, { headers: { 'If-None-Match': '*' } })).status
    assert.equal(await status(), 304)
    await moderator.admin.block({ id, blocked: true })
    assert.equal(await status(), 404)
    await moderator.admin.block({ id, blocked: false })
    assert.equal(await status(), 304)
  })

  it('of people are told by their bytes, and the one before stays when the next is refused', async (world) => {
    const { alice, anonymous } = world
    await alice.avatars.set({ avatar: await padded(MAX_BYTES) })
    const { avatarUrl } = await alice.profile.me()
    await refuseLies(world, (avatar) => alice.avatars.set({ avatar }))
    assert.equal((await alice.profile.me()).avatarUrl, avatarUrl)
    assert.equal((await anonymous.request(avatarUrl!)).status, 200)
  })

  it('are served under the addresses of their own kind only', async ({ alice, anonymous }) => {
    const { id: userId } = await alice.account()
    const { id } = await upload(alice)
    const { url } = await alice.orgImages.add({ id, image: await tinyPng() })
    await alice.avatars.set({ avatar: await tinyPng() })
    const run = await alice.orgRuns.add({ id, files: [new File(['<b>'], 'a.html')] })
    const image = url.split('/').at(-1)!
    for (const path of [
      `/api/images/org/${userId}`,
      `/api/images/org/avatars/${userId}`,
      `/api/images/org/avatars%2F${userId}`,
      `/api/images/org/${run.files[0]!.id}`,
      `/api/images/avatar/avatars/${image}`,
      `/api/images/avatar/org-images/${image}`,
      `/api/images/${image}`,
      `/api/community/org-run-files/${image}`,
    ]) {
      assert.equal((await anonymous.request(path)).status, 404, path)
    }
    for (const path of [
      `/api/images/org/..%2Favatars%2F${userId}`,
      `/api/images/avatar/avatars/..%2Forg-images%2F${image}`,
      `/api/images/avatar/avatars/..%2Forg-runs%2F${run.files[0]!.id}`,
    ]) {
      assert.equal((await anonymous.request(path)).status, 400, path)
    }
  })
})
