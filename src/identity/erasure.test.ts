// The erasure of an account: the whole database is looked through for it, and everything that is counted still fits together.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { orgFile, workflowFile } from '../../test/library.ts'
import { AGENT, oauthClient } from '../../test/oauth.ts'
import { tinyPng } from '../../test/pictures.ts'
import { complaintsOf } from '../../test/sound.ts'
import { filesOnDisk } from '../../test/stored.ts'
import { onEveryEngine, type Person, type World } from '../../test/world.ts'
import { DELETED_TEXT, DELETED_USER } from '../contract/no-account.ts'
import { JobRunner } from '../core/jobs/runner.ts'
import { erasureJob, erasureSteps } from '../jobs.ts'
import { timestamp } from '../runtime/clock.ts'
import type { ErasureStep } from './erasure.ts'

const DAY = 86_400

/** `table.column` of every text that contains one of these. */
async function placesOf({ db }: World, ...wanted: string[]): Promise<string[]> {
  const found = new Set<string>()
  for (const { name, columns } of await db.introspection.getTables()) {
    if (/Index|searchTerms/.test(name)) continue
    for (const { name: column } of columns) {
      for (const text of wanted) {
        const { rows } =
          await sql`select 1 from ${sql.table(name)} where cast(${sql.ref(column)} as text) like ${`%${text}%`} limit 1`.execute(
            db,
          )
        if (rows.length > 0) found.add(`${name}.${column}`)
      }
    }
  }
  return [...found].sort()
}

/** Alice and Bob write, vote and answer everywhere; what Alice leaves is known by name. */
async function live(world: World) {
  const { alice, bob, moderator } = world
  await alice.profile.setUsername({ username: 'alice-leaves' })
  await alice.profile.update({ name: 'Alice', tags: ['mail'] })
  await alice.avatars.set({ avatar: await tinyPng() })
  await oauthClient(world).signIn(alice, { clientId: AGENT, scope: 'community:read offline_access' })
  const bug = await alice.bugs.create({ title: 'Alice found it', description: 'Secret of Alice', severity: 'low' })
  const label = await moderator.labels.create({ name: 'L', color: '#aabbcc' })
  await moderator.bugs.attachLabel({ id: bug.id, labelId: label.id })
  await alice.bugs.edit({ id: bug.id, title: 'Alice found it again' })
  await bob.bugs.comment({ id: bug.id, body: 'Bob answers' })
  await bob.bugs.vote({ id: bug.id, value: 1 })
  await alice.bugs.close({ id: bug.id, closed: true, reason: 'Secret of Alice' })
  const lonely = await alice.bugs.create({ title: 'Without an answer', description: 'D', severity: 'high' })
  const post = await alice.posts.create({ title: 'Post of Alice', body: 'Hello @bob' })
  await moderator.posts.attachLabel({ id: post.id, labelId: label.id })
  await bob.posts.comment({ id: post.id, body: 'Bob here' })
  const feature = await bob.features.create({ title: 'Feature of Bob', description: 'D' })
  await alice.features.vote({ id: feature.id, value: 1 })
  const first = await alice.features.comment({ id: feature.id, body: 'Secret of Alice' })
  await bob.features.comment({ id: feature.id, body: 'Bob replies', parentId: first.id })
  const other = await bob.features.comment({ id: feature.id, body: 'Bob again' })
  await alice.features.comment({ id: feature.id, body: 'Reply of Alice', parentId: other.id })
  await alice.comments.react({ id: other.id, reaction: 'heart' })
  const wish = await alice.features.create({ title: 'Feature of Alice', description: 'D' })
  await moderator.features.attachLabel({ id: wish.id, labelId: label.id })
  await bob.features.comment({ id: wish.id, body: 'Bob, too' })
  await alice.blog.comment({ slug: 'what-guildhall-is', body: 'Alice on the blog' })
  const org = await alice.orgs.create({ orgJson: await orgFile({ name: 'Desk of Alice' }).text() })
  await alice.orgImages.add({ id: org.id, image: await tinyPng() })
  await bob.orgs.vote({ id: org.id, value: 1 })
  const desk = await bob.orgs.create({ orgJson: await orgFile({ name: 'Desk of Bob' }).text() })
  await alice.orgRuns.add({ id: desk.id, files: [new File(['# Run of Alice'], 'a.md')] })
  await alice.orgs.vote({ id: desk.id, value: -1 })
  const item = await alice.library.publish({
    kind: 'workflow',
    visibility: 'public',
    tags: 'mail',
    file: workflowFile(),
  })
  await alice.library.publishVersion({ id: item.id, file: workflowFile({ description: 'Newer' }) })
  await bob.library.comment({ id: item.id, body: 'Good' })
  const hidden = await alice.library.publish({ kind: 'workflow', file: workflowFile({ name: 'Private of Alice' }) })
  await alice.library.vote({ id: item.id, value: 1 })
  const theirs = await bob.library.publish({ kind: 'org', visibility: 'public', file: orgFile({ name: 'Of Bob' }) })
  await alice.library.vote({ id: theirs.id, value: 1 })
  await bob.profile.setUsername({ username: 'bob-stays' })
  await bob.follows.set({ id: (await alice.account()).id, state: 'following' })
  await alice.follows.set({ id: (await bob.account()).id, state: 'muted' })
  await alice.library.comment({ id: theirs.id, body: 'Seen by Alice' })
  await bob.library.update({ id: theirs.id, visibility: 'private' })
  const twice = await alice.bugs.create({ title: 'Secret of Alice', description: 'Again', severity: 'low' })
  const known = await bob.bugs.create({ title: 'Known to Bob', description: 'D', severity: 'low' })
  await moderator.bugs.merge({ id: twice.id, into: known.id })
  await world.app.deliver()
  return { bug, lonely, post, feature, org, desk, item, hidden, theirs, first, other }
}

async function erase(world: World, content: 'delete' | 'anonymise') {
  const { alice, app, clock } = world
  const { id } = await alice.account()
  await alice.deletion.request({ content })
  clock.pass(14 * DAY + 1)
  await app.work()
  await app.deliver()
  await world.mails(alice.email)
  await world.bob.accounts.signIn({ email: world.bob.email, password: 'bob has a password' })
  return id
}

/** The audit log says what was done by and to the id; the last mail is forgotten a week after it went out. */
const LEFT = ['audit.actorId', 'audit.detail', 'audit.targetId', 'outbox.recipient']

/** Lists of all words, which do not say who wrote one. One document in 64 is in the counts, also with none left. */
const WORDS = ['searchWord.word', 'searchWord.term', 'searchCount.term']

onEveryEngine('an erased account', (it) => {
  it('is nowhere but in the audit log, with nothing it wrote', async (world) => {
    const things = await live(world)
    assert.deepEqual(await complaintsOf(world), [])
    const { bob, alice, anonymous, app, clock } = world
    const id = await erase(world, 'delete')
    assert.deepEqual(await complaintsOf(world), [])
    const places = await placesOf(world, id, alice.email, 'alice-leaves', 'Secret of Alice', 'Post of Alice')
    assert.deepEqual(
      places.filter((place) => !LEFT.includes(place) && !WORDS.includes(place)),
      [],
    )
    const bug = await anonymous.bugs.get({ id: things.bug.id })
    assert.deepEqual(
      [bug.title, bug.description, bug.authorId, bug.commentCount],
      [DELETED_TEXT, DELETED_TEXT, DELETED_USER, 1],
    )
    await assert.rejects(anonymous.bugs.get(things.lonely), /No such/)
    await assert.rejects(anonymous.posts.get(things.post), /No such/)
    await assert.rejects(anonymous.orgs.get(things.org), /No such/)
    await assert.rejects(anonymous.library.get({ id: things.item.id }))
    const feature = await anonymous.features.get(things.feature)
    assert.deepEqual([feature.score, feature.commentCount], [0, 2])
    const { items } = await anonymous.features.comments({ id: things.feature.id })
    assert.deepEqual(
      items.map(({ body, parentId, replyCount }) => [body, parentId, replyCount]),
      [
        ['Bob replies', null, 0],
        ['Bob again', null, 0],
      ],
    )
    assert.equal((await anonymous.orgs.get(things.desk)).score, 0)
    assert.equal((await bob.library.get({ id: things.theirs.id })).score, 0)
    assert.equal((await anonymous.orgRuns.list({ id: things.desk.id })).total, 0)
    clock.pass(8 * DAY)
    await app.cleanUp()
    assert.deepEqual(await complaintsOf(world), [])
    assert.ok((await filesOnDisk(world)).every((file) => !file.includes('avatars')))
    assert.ok(!(await placesOf(world, alice.email)).length, 'the last mail is forgotten')
  })

  for (const content of ['delete', 'anonymise'] as const) {
    it(`takes what moderators hid along, with ${content}`, async (world) => {
      const { alice, bob, moderator, anonymous, db, app } = world
      await alice.profile.setUsername({ username: 'alice-leaves' })
      const bug = await alice.bugs.create({ title: 'Hidden', description: 'Secret of Alice', severity: 'low' })
      await bob.bugs.comment({ id: bug.id, body: 'Bob answers' })
      const post = await alice.posts.create({ title: 'Post', body: 'Secret of Alice' })
      const theirs = await bob.posts.create({ title: 'Of Bob', body: 'B' })
      const comment = await alice.posts.comment({ id: theirs.id, body: 'Secret of Alice' })
      await bob.posts.comment({ id: theirs.id, body: 'Bob replies', parentId: comment.id })
      const org = await alice.orgs.create({ orgJson: await orgFile({ name: 'Secret of Alice' }).text() })
      const file = workflowFile({ name: 'Secret of Alice' })
      const item = await alice.library.publish({ kind: 'workflow', visibility: 'public', file })
      const twin = await alice.bugs.create({ title: 'Merged', description: 'Secret of Alice', severity: 'low' })
      const other = await bob.bugs.create({ title: 'Stays', description: 'D', severity: 'low' })
      await moderator.bugs.merge({ id: twin.id, into: other.id })
      const things = { bug: bug.id, post: post.id, comment: comment.id, org: org.id, item: item.id } as const
      for (const [type, targetId] of Object.entries(things)) {
        await bob.reports.create({ targetType: type as keyof typeof things, targetId, reason: 'spam' })
      }
      for (const { id } of (await moderator.moderation.cases({})).items) {
        await moderator.moderation.decide({ id, action: 'hide', rule: 'spam', reason: 'Advertising' })
      }
      const id = await erase(world, content)
      await app.deliver()
      assert.deepEqual(await complaintsOf(world), [])
      const names = await placesOf(world, id, alice.email, 'alice-leaves')
      assert.deepEqual(
        names.filter((place) => !LEFT.includes(place) && !WORDS.includes(place)),
        [],
      )
      if (content === 'delete') {
        const words = await placesOf(world, 'Secret of Alice')
        assert.deepEqual(
          words.filter((place) => !LEFT.includes(place)),
          [],
        )
      }
      // What was hidden stays hidden, and answers of others stay.
      await assert.rejects(anonymous.bugs.get({ id: bug.id }), { status: 404 })
      const row = await db.selectFrom('bug').selectAll().where('id', '=', bug.id).executeTakeFirstOrThrow()
      assert.deepEqual([row.authorId, row.hidden !== 0], [DELETED_USER, true])
      assert.equal(row.title, content === 'delete' ? DELETED_TEXT : 'Hidden')
      assert.equal((await anonymous.bugs.get({ id: twin.id })).id, other.id)
      const { items } = await anonymous.posts.comments({ id: theirs.id })
      assert.deepEqual(
        items.map(({ body }) => body),
        ['Bob replies'],
      )
    })
  }

  it('leaves nothing of what was merged, also into one that was merged later', async (world) => {
    const { alice, bob, moderator, app } = world
    const file = (person: Person, title: string) => person.bugs.create({ title, description: 'D', severity: 'low' })
    const [mine, middle, last] = [await file(alice, 'Swordfish'), await file(bob, 'Two'), await file(bob, 'Three')]
    for (const [{ id }, into] of [
      [mine, middle],
      [middle, last],
    ] as const) {
      await moderator.bugs.merge({ id, into: into.id, reason: 'The same' })
      await app.deliver()
    }
    assert.ok((await placesOf(world, 'Swordfish')).includes('toldEvent.payload'))
    await erase(world, 'delete')
    // What moderators did stays in the audit log.
    const places = await placesOf(world, 'Swordfish')
    assert.deepEqual(
      places.filter((place) => !place.startsWith('audit.') && !WORDS.includes(place)),
      [],
    )
  })

  it('leaves what it wrote without its name, if it chose so', async (world) => {
    const things = await live(world)
    const id = await erase(world, 'anonymise')
    const { alice, anonymous, bob } = world
    assert.deepEqual(await complaintsOf(world), [])
    const places = await placesOf(world, id, alice.email, 'alice-leaves')
    assert.deepEqual(
      places.filter((place) => !LEFT.includes(place) && !WORDS.includes(place)),
      [],
    )
    const bug = await anonymous.bugs.get(things.bug)
    assert.deepEqual([bug.title, bug.authorId, bug.authorUsername], ['Alice found it again', DELETED_USER, null])
    const { items: revisions } = await anonymous.bugs.revisions(things.bug)
    assert.deepEqual(
      revisions.map(({ editorId }) => editorId),
      [DELETED_USER],
    )
    const item = await anonymous.library.get({ id: things.item.id })
    assert.equal(item.score, 0)
    assert.equal((await anonymous.library.versions({ id: things.item.id })).versions.length, 2)
    assert.equal((await bob.library.download({ id: things.item.id })).status, 200)
    await assert.rejects(alice.library.get({ id: things.hidden.id }))
    assert.equal((await anonymous.orgs.get(things.org)).authorUsername, null)
    const { items } = await anonymous.features.comments({ id: things.feature.id })
    assert.deepEqual(
      items.map(({ body }) => body),
      ['Secret of Alice', 'Bob replies', 'Bob again', 'Reply of Alice'],
    )
    assert.equal((await bob.bugs.list({ authorId: DELETED_USER })).total, 2)
    assert.equal((await anonymous.search.find({ q: 'Alice found' })).items[0]?.authorUsername, null)
  })

  it('can sign up again with a new account', async (world) => {
    const { alice, person } = world
    await alice.profile.setUsername({ username: 'alice-leaves' })
    const id = await erase(world, 'delete')
    const again = person('alice')
    assert.notEqual((await again.account()).id, id)
    await again.profile.setUsername({ username: 'alice-leaves' })
  })
})

/** A process of its own, with steps of its own. */
const eraseAll = ({ dependencies, clock }: World, steps?: readonly ErasureStep[]) => {
  const job = erasureJob(
    { db: dependencies.db, cleanUpTime: async () => timestamp(clock.now()) },
    () => dependencies,
    steps && (async () => steps),
  )
  return new JobRunner(dependencies, [job]).run(job.kind)
}

onEveryEngine('an erasure', (it) => {
  it('that was interrupted after any step is finished by another process', async (world) => {
    const { alice, clock } = world
    await live(world)
    const { id } = await alice.account()
    await alice.deletion.request({ content: 'delete' })
    clock.pass(14 * DAY + 1)
    const steps = await erasureSteps()
    let left = steps.length
    for (let at = 0; at < steps.length; at++) {
      const failing = steps.map((step, index) =>
        index === at ? { ...step, erase: () => Promise.reject(new Error('the process ends')) } : step,
      )
      await assert.rejects(eraseAll(world, failing), /the process ends/)
      const row = await world.db.selectFrom('job').select('cursor').where('key', '=', id).executeTakeFirst()
      assert.equal(row?.cursor, at === 0 ? '' : steps[at]!.name)
      left--
    }
    assert.equal(left, 0)
    await Promise.all([world.app.work(), eraseAll(world)])
    assert.deepEqual(await complaintsOf(world), [])
    assert.ok((await placesOf(world, id)).every((place) => LEFT.includes(place)))
  })

  it('that has begun cannot be cancelled', async (world) => {
    const { alice, admin, clock } = world
    const { id } = await alice.account()
    await alice.deletion.request({ content: 'delete' })
    clock.pass(14 * DAY + 1)
    const [first, ...rest] = await erasureSteps()
    const failing = { ...first!, erase: () => Promise.reject(new Error('the process ends')) }
    await assert.rejects(eraseAll(world, [failing, ...rest]), /the process ends/)
    await assert.rejects(admin.admin.keepUser({ id }), /too late/)
  })
})
