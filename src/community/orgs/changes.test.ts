// What becomes of an org once it is there: edits, votes, comments and its end, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { tinyPng } from '../../../test/pictures.ts'
import { filesOnDisk, objectsIn } from '../../../test/stored.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'

const definition = { name: 'Desk', goal: 'Answer mail. Be kind.', roles: [{ id: 'solo' }] }
const upload = (person: Person, changes: object = {}) =>
  person.orgs.create({ orgJson: JSON.stringify({ ...definition, ...changes }) })
const report = () => new File(['# Report'], 'report.md')

async function feedEntry({ anonymous }: World, id: string) {
  return (await anonymous.feed.list({})).items.find((item) => item.id === id)
}

onEveryEngine('an org that changes', (it) => {
  it('is edited by its owner, and the answer holds what was set', async (world) => {
    const { alice, anonymous, clock } = world
    const { id, slug, createdAt } = await upload(alice)
    clock.pass(60)
    const changes = { name: ' New name ', tagline: 'T', description: 'D', body: '# B', bannerUrl: '/api/images/org/x' }
    assert.deepEqual(await alice.orgs.update({ id: slug, ...changes }), { id, ...changes, name: 'New name' })
    const page = await anonymous.orgs.get({ id: slug })
    const { name, tagline, description, body, bannerUrl, goal } = page
    assert.deepEqual({ name, tagline, description, body, bannerUrl }, { ...changes, name: 'New name' })
    assert.deepEqual([page.slug, goal, page.createdAt], [slug, definition.goal, createdAt])
    assert.ok(page.updatedAt > createdAt)
    assert.equal((await anonymous.orgs.list({})).items[0]!.name, 'New name')
    const { title, preview, url, type } = (await feedEntry(world, id))!
    assert.deepEqual([title, preview, url, type], ['New name', 'T', `/community/orgs/${slug}`, 'org'])
    assert.equal((await anonymous.orgs.list({ q: 'new name' })).total, 1)
    assert.equal((await anonymous.orgs.list({ q: 'answer mail' })).total, 1)
    assert.equal((await anonymous.orgs.list({ q: 'desk' })).total, 1, 'its slug stays')
  })

  it('keeps what is not given, and takes empty texts for none', async (world) => {
    const { alice, anonymous } = world
    const { id } = await upload(alice)
    await alice.orgs.update({ id, description: 'D', body: 'B', bannerUrl: '/api/images/org/x' })
    assert.equal((await anonymous.orgs.get({ id })).tagline, 'Answer mail.')
    assert.deepEqual(await alice.orgs.update({ id, tagline: '', description: '  ', body: null, bannerUrl: null }), {
      id,
      tagline: null,
      description: null,
      body: null,
      bannerUrl: null,
    })
    const { name, tagline, description, body, bannerUrl } = await anonymous.orgs.get({ id })
    assert.deepEqual([name, tagline, description, body, bannerUrl], ['Desk', null, null, null, null])
    assert.equal((await feedEntry(world, id))!.preview, definition.goal)
  })

  it('is edited within limits', async ({ alice }) => {
    const { id } = await upload(alice)
    for (const [field, most] of [
      ['name', 100],
      ['tagline', 150],
      ['description', 1000],
      ['body', 20_000],
    ] as const) {
      const longest = 'x'.repeat(most)
      assert.deepEqual(await alice.orgs.update({ id, [field]: ` ${longest} ` }), { id, [field]: longest })
      await assert.rejects(alice.orgs.update({ id, [field]: `${longest}x` }), {
        status: 400,
        message: new RegExp(field),
      })
    }
    await alice.orgs.update({ id, bannerUrl: '/api/images/org/' })
    for (const bannerUrl of [
      '',
      'https://example.com/a.png',
      '/api/images/avatar/x',
      '/API/images/org/x',
      '//evil.example/api/images/org/x',
      '/api/images/org/../../auth/sign-out',
      '/api/images/org/%2e%2e/%2e%2e/auth/sign-out',
      '/api/images/org/..\\..\\auth/sign-out',
      `/api/images/org/${'x'.repeat(300)}`,
    ]) {
      await assert.rejects(alice.orgs.update({ id, bannerUrl }), { status: 400 }, bannerUrl)
    }
    for (const nothing of [{}, { reason: 'because' }, { unknown: 1 }]) {
      await assert.rejects(alice.orgs.update({ id, ...nothing }), { status: 400, message: /^give a name/ })
    }
    await assert.rejects(alice.orgs.update({ id, name: '' }), { status: 400 })
    await assert.rejects(alice.orgs.update({ id, name: null as never }), { status: 400 })
    await assert.rejects(alice.orgs.update({ id, body: 'a\0b' }), { status: 400 })
  })

  it('is for its owner, moderators and admins to edit and remove', async ({ alice, bob, moderator, admin, db }) => {
    const { id } = await upload(alice)
    await assert.rejects(bob.orgs.update({ id, name: 'Mine' }), { status: 403, message: 'Forbidden' })
    await assert.rejects(bob.orgs.delete({ id }), { status: 403, message: 'Forbidden' })
    await assert.rejects(bob.orgs.update({ id: 'nothing', name: 'Mine' }), { status: 404 })
    await assert.rejects(bob.orgs.delete({ id: 'nothing' }), { status: 404 })
    await assert.rejects(bob.orgs.update({ id: 'nothing' }), { status: 400 }, 'input is looked at first')
    await moderator.orgs.update({ id, tagline: 'Moderated', reason: 'Advertising' })
    await admin.orgs.update({ id, tagline: 'Administered' })
    await alice.orgs.update({ id, tagline: 'Mine again' })
    const other = await upload(alice)
    await moderator.orgs.delete({ id, reason: 'Spam' })
    await alice.orgs.delete({ id: other.id })
    const acts = await db.selectFrom('audit').select(['action', 'actorId', 'reason']).orderBy('id').execute()
    const moderatorId = (await moderator.account()).id
    assert.deepEqual(
      acts.filter(({ action }) => action.startsWith('org.')),
      [
        { action: 'org.update', actorId: moderatorId, reason: 'Advertising' },
        { action: 'org.update', actorId: (await admin.account()).id, reason: null },
        { action: 'org.delete', actorId: moderatorId, reason: 'Spam' },
      ],
    )
  })

  it('is voted on, by slug too', async (world) => {
    const { alice, bob, anonymous } = world
    const { id, slug } = await upload(alice)
    assert.deepEqual(await alice.orgs.vote({ id: slug, value: 1 }), { score: 1, myVote: 1 })
    assert.deepEqual(await alice.orgs.vote({ id, value: 1 }), { score: 1, myVote: 1 })
    assert.deepEqual(await bob.orgs.vote({ id, value: -1 }), { score: 0, myVote: -1 })
    assert.deepEqual(await bob.orgs.vote({ id, value: 0 }), { score: 1, myVote: 0 })
    assert.deepEqual([(await alice.orgs.get({ id })).myVote, (await anonymous.orgs.get({ id })).score], [1, 1])
    assert.equal((await feedEntry(world, id))!.score, 1)
    await assert.rejects(alice.orgs.vote({ id: 'nothing', value: 1 }), { status: 404 })
    await assert.rejects(alice.orgs.vote({ id, value: 2 as never }), { status: 400 })
  })

  it('is commented on, by slug too', async ({ alice, bob, moderator, anonymous }) => {
    const { id, slug } = await upload(alice)
    const other = await upload(alice)
    const longest = 'x'.repeat(1000)
    const comment = await bob.orgs.comment({ id: slug, body: ` ${longest} ` })
    const { id: commentId, createdAt: _, ...rest } = comment
    const authorId = (await bob.account()).id
    assert.deepEqual(rest, { orgUploadId: id, authorId, authorUsername: null, body: longest, parentId: null })
    await assert.rejects(bob.orgs.comment({ id, body: `${longest}x` }), { status: 400 })
    await assert.rejects(bob.orgs.comment({ id, body: '  ' }), { status: 400 })
    await assert.rejects(bob.orgs.comment({ id: 'nothing', body: 'x' }), { status: 404 })
    assert.deepEqual(await anonymous.orgs.comments({ id: slug }), {
      items: [
        {
          ...comment,
          editedAt: null,
          replyCount: 0,
          via: null,
          reactions: {},
          myReactions: [],
          can: { edit: false, delete: false },
        },
      ],
      hasMore: false,
      total: 1,
    })
    assert.equal((await anonymous.orgs.get({ id })).commentCount, 1)
    await assert.rejects(alice.orgs.deleteComment({ id, commentId }), { status: 403 })
    await assert.rejects(bob.orgs.deleteComment({ id: other.id, commentId }), { status: 404 })
    assert.deepEqual(await bob.orgs.deleteComment({ id: slug, commentId }), { id: commentId })
    const next = await bob.orgs.comment({ id, body: 'x' })
    await moderator.orgs.deleteComment({ id, commentId: next.id })
    assert.equal((await anonymous.orgs.get({ id })).commentCount, 0)
  })

  it('goes with everything that hangs on it', async (world) => {
    const { alice, bob, anonymous, db } = world
    const org = await upload(alice)
    const kept = await upload(alice, { name: 'Kept' })
    for (const { id } of [org, kept]) {
      await bob.orgs.vote({ id, value: 1 })
      await bob.orgs.comment({ id, body: 'Fine' })
      await bob.orgRuns.add({ id, files: [report(), report()] })
      await alice.orgImages.add({ id, image: await tinyPng() })
    }
    assert.deepEqual(await alice.orgs.delete({ id: org.slug }), { id: org.id })
    for (const id of [org.id, org.slug]) await assert.rejects(anonymous.orgs.get({ id }), { status: 404 })
    await assert.rejects(anonymous.orgs.comments({ id: org.id }), { status: 404 })
    await assert.rejects(anonymous.orgRuns.list({ id: org.id }), { status: 404 })
    await assert.rejects(alice.orgs.delete({ id: org.id }), { status: 404 })
    const left = async (
      table: 'orgUpload' | 'orgRun' | 'orgImage' | 'vote' | 'comment' | 'feedEntry' | 'searchText' | 'slug',
    ) =>
      (await db.selectFrom(table).selectAll().execute()).filter((row) => !('type' in row) || row.type === 'org').length
    assert.deepEqual(
      await Promise.all(
        (['orgUpload', 'orgRun', 'orgImage', 'vote', 'comment', 'feedEntry', 'searchText', 'slug'] as const).map(left),
      ),
      [1, 1, 1, 1, 1, 1, 1, 1],
    )
    assert.equal((await db.selectFrom('orgRunFile').selectAll().execute()).length, 2)
    assert.equal((await db.selectFrom('orgPage').selectAll().execute()).length, 1)
    assert.equal((await objectsIn(world, 'org-runs')).length, 2)
    assert.equal((await objectsIn(world, 'org-images')).length, 1)
    await alice.orgs.delete({ id: kept.id })
    assert.deepEqual(
      (await filesOnDisk(world)).filter((path) => !path.startsWith('artifacts/')),
      [],
    )
  })
})
