// The export of everything an account made: what is in it and what is not, who gets it, and for how long.
import assert from 'node:assert/strict'
import { strFromU8, unzipSync } from 'fflate'
import { orgFile, workflowFile } from '../../test/library.ts'
import { tinyPng } from '../../test/pictures.ts'
import { filesOnDisk } from '../../test/stored.ts'
import { onEveryStore } from '../../test/stores.ts'
import { onEveryEngine, type Person, type World } from '../../test/world.ts'
import { JobRunner } from '../core/jobs/runner.ts'
import { exportJob } from './feature.ts'

const DAY = 86_400
const password = 'alice has a password'

const refused = (status: number) => (error: unknown) =>
  error instanceof Error && Reflect.get(error, 'status') === status

/** What a process does, with bounds of its own. */
const prepareExports = (dependencies: World['dependencies'], bounds?: { bytes: number; files: number }) =>
  new JobRunner(dependencies, [exportJob(dependencies, () => dependencies, bounds)]).run('exports.prepare')

/** The files of an archive, and its JSON by name. */
async function opened(person: Person, id: string) {
  const response = await person.dataExports.download({ id })
  assert.equal(response.headers.get('content-type'), 'application/zip')
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
  const json = (name: string) => JSON.parse(strFromU8(files[`${name}.json`]!)) as Record<string, unknown>[]
  return { files, json, names: Object.keys(files) }
}

async function exported({ alice, app }: World) {
  const { id } = await alice.dataExports.request()
  await app.work()
  return opened(alice, id)
}

async function live({ alice, bob, moderator, person }: World) {
  const carol = person('carol')
  await alice.profile.setUsername({ username: 'alice-exports' })
  await alice.avatars.set({ avatar: await tinyPng() })
  const bug = await alice.bugs.create({ title: 'Mine', description: 'Of Alice', severity: 'low' })
  await alice.bugs.edit({ id: bug.id, title: 'Mine, edited' })
  await moderator.bugs.edit({ id: bug.id, title: 'Mine, moderated' })
  await bob.bugs.comment({ id: bug.id, body: 'Secret words of Bob' })
  const post = await bob.posts.create({ title: 'Post of Bob', body: 'Secret words of Bob' })
  await alice.posts.comment({ id: post.id, body: 'Alice answers' })
  await alice.posts.vote({ id: post.id, value: 1 })
  await carol.profile.setUsername({ username: 'carol-known' })
  await alice.follows.set({ id: (await carol.account()).id, state: 'following' })
  const org = await alice.orgs.create({ orgJson: await orgFile({ name: 'Desk' }).text() })
  await alice.orgImages.add({ id: org.id, image: await tinyPng() })
  await alice.orgRuns.add({ id: org.id, files: [new File(['# Run'], 'run.md')] })
  const { url } = await alice.textImages.add({ image: await tinyPng() })
  await alice.posts.comment({ id: post.id, body: `![a dot](${url})` })
  await alice.drafts.save({ path: '/community/bugs/new', form: 'create', fields: [{ name: 'title', text: 'Half' }] })
  const first = workflowFile({ name: 'Private' })
  const item = await alice.library.publish({ kind: 'workflow', file: first })
  const second = workflowFile({ name: 'Private', description: 'Newer' })
  await alice.library.publishVersion({ id: item.id, file: second })
  await alice.library.answerScan({ id: item.id, version: '1.0.0', text: 'It is harmless' })
  return { org, item, first, second }
}

onEveryEngine('an export', (it) => {
  it('has what the account made, with files byte for byte', async (world) => {
    const { org, item, first, second } = await live(world)
    const { files, json, names } = await exported(world)
    assert.equal(json('account')[0]?.['email'], world.alice.email)
    assert.equal(json('bugs')[0]?.['title'], 'Mine, moderated')
    assert.equal(json('edits').length, 1)
    assert.deepEqual([json('drafts')[0]?.['path'], json('text-images').length], ['/community/bugs/new', 1])
    assert.ok(names.some((name) => /^files\/text-images\/[0-9a-f-]{36}\.png$/.test(name)))
    const [comment] = json('comments')
    const member = json('follows').find(({ onTitle }) => onTitle === 'carol-known')
    assert.deepEqual([member?.['onUrl'], member?.['state']], ['/community/u/carol-known', 'following'])
    assert.deepEqual([comment?.['body'], comment?.['onTitle']], ['Alice answers', 'Post of Bob'])
    assert.deepEqual([json('votes')[0]?.['value'], json('votes')[0]?.['onTitle']], [1, 'Post of Bob'])
    const [answer, ...others] = json('scan-answers')
    assert.deepEqual(
      [answer?.['itemId'], answer?.['version'], answer?.['answer']],
      [item.id, '1.0.0', 'It is harmless'],
    )
    assert.deepEqual(others, [])
    assert.equal(strFromU8(files[`files/orgs/${org.slug}.json`]!), await orgFile({ name: 'Desk' }).text())
    const versions = names.filter((name) => name.startsWith(`files/library/workflows/${item.slug}/`))
    const bytes = versions.map((name) => strFromU8(files[name]!)).sort()
    assert.deepEqual(bytes, [await first.text(), await second.text()].sort())
    assert.ok(
      names.some((name) => /^files\/images\/.+\.png$/.test(name)),
      names.join(),
    )
    assert.ok(names.includes('files/picture'))
    const run = names.find((name) => /^files\/runs\/.+\/0-run\.md$/.test(name))
    assert.equal(strFromU8(files[run!]!), '# Run')
  })

  it('names the board of a thing and of a shared filter, and none that the account does not read', async (world) => {
    const { admin, alice, moderator } = world
    await admin.boards.create({ slug: 'labs', name: 'Labs' })
    await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: moderator' })
    for (const board of ['main', 'labs']) {
      await alice.bugs.create({ title: board, description: 'D', severity: 'low', board })
      await alice.features.create({ title: board, description: 'D', board })
    }
    const { id } = await alice.posts.create({ title: 'Away', body: 'B' })
    await moderator.boards.move({ board: 'staff', type: 'post', id, confirm: true })
    const own = await exported(world)
    const boardsIn = (json: typeof own.json, name: string) => json(name).map(({ title, board }) => [title, board])
    for (const name of ['bugs', 'features']) {
      const boards = boardsIn(own.json, name)
      assert.deepEqual(boards, [
        ['main', undefined],
        ['labs', 'labs'],
      ])
    }
    assert.deepEqual(boardsIn(own.json, 'posts'), [['Away', undefined]])
    assert.ok(!JSON.stringify(own.json('posts')).includes('boardId'))
    const path = '/community/bugs?board=staff&status=open'
    await moderator.savedFilters.share({ board: 'staff', name: 'Open', path })
    await moderator.posts.create({ title: 'Inside', body: 'B', board: 'staff' })
    const { json } = await exported({ ...world, alice: moderator })
    assert.deepEqual(boardsIn(json, 'posts'), [['Inside', 'staff']])
    const [filter] = json('shared-filters')
    assert.deepEqual([filter?.['board'], filter?.['path']], ['staff', path])
  })

  it('has releases and their drafts, reports, appeals, notices, the inbox and texts of teams', async (world) => {
    const { admin, alice, bob, app } = world
    const version = { version: '', date: '2026-11-01' }
    await admin.changelog.create({ ...version, title: 'Out', body: 'Now' })
    await admin.changelog.create({ ...version, title: 'Not yet', body: 'Soon', draft: true })
    const { id } = await admin.account()
    await world.db
      .updateTable('user')
      .set({ emailVerifiedAt: '2026-01-01T00:00:00.000Z' })
      .where('id', '=', id)
      .execute()
    await admin.teams.create({ slug: 'night-shift', name: 'Night shift', description: 'We keep it quiet' })
    const bug = await bob.bugs.create({ title: 'Of Bob', description: 'Text', severity: 'low' })
    await admin.reports.create({ targetType: 'bug', targetId: bug.id, reason: 'spam', text: 'My own report' })
    const own = await admin.bugs.create({ title: 'Mine', description: 'Text', severity: 'low' })
    await bob.bugs.comment({ id: own.id, body: 'Secret words of Bob' })
    await app.deliver()
    const { id: reported } = await alice.reports.create({ targetType: 'bug', targetId: own.id, reason: 'spam' })
    assert.ok(reported)
    const moderator = world.moderator
    const [found] = (await moderator.moderation.cases({})).items.filter(({ target }) => target.id === own.id)
    await moderator.moderation.decide({ id: found!.id, action: 'warn', rule: 'spam', reason: 'Too loud' })
    const [notice] = (await admin.moderation.notices({})).items
    await admin.moderation.appeal({ id: notice!.id, text: 'It was not loud' })
    const { files, json } = await exported({ ...world, alice: admin })
    assert.deepEqual(
      json('releases').map(({ title, body }) => [title, body]),
      [
        ['Out', 'Now'],
        ['Not yet', 'Soon'],
      ],
    )
    assert.deepEqual(
      json('team-texts').map(({ name, description }) => [name, description]),
      [['Night shift', 'We keep it quiet']],
    )
    assert.deepEqual(
      json('reports').map(({ text, onTitle }) => [text, onTitle]),
      [['My own report', 'Of Bob']],
    )
    assert.deepEqual(
      json('notices').map(({ title, reason, appeal }) => [title, reason, appeal]),
      [['Mine', 'Too loud', 'It was not loud']],
    )
    assert.ok(json('inbox').some(({ kind, title }) => kind === 'comment' && title === 'Mine'))
    assert.ok(!Object.values(files).some((bytes) => strFromU8(bytes).includes('Secret words of Bob')))
  })

  it('has no secrets, and no words of others', async (world) => {
    await live(world)
    const { db, alice } = world
    const { files } = await exported(world)
    const text = Object.values(files)
      .map((bytes) => strFromU8(bytes))
      .join('\n')
    const user = await db.selectFrom('user').selectAll().where('email', '=', alice.email).executeTakeFirstOrThrow()
    const session = await db.selectFrom('session').selectAll().where('userId', '=', user.id).executeTakeFirstOrThrow()
    const bob = (await world.bob.account()).id
    for (const secret of [user.passwordHash!, session.tokenHash, 'Secret words of Bob', bob, world.bob.email]) {
      assert.ok(!text.includes(secret), secret)
    }
  })

  it('is for its owner alone, with a credential used within ten minutes', async ({ alice, bob, app, clock }) => {
    await bob.account()
    const { id, state } = await alice.dataExports.request()
    assert.equal(state, 'waiting')
    await assert.rejects(alice.dataExports.download({ id }), refused(404))
    await app.work()
    await assert.rejects(bob.dataExports.download({ id }), refused(404))
    assert.deepEqual((await bob.dataExports.list()).items, [])
    clock.pass(601)
    await assert.rejects(alice.dataExports.download({ id }), refused(403))
    await assert.rejects(alice.dataExports.request(), refused(403))
    await alice.reauthentication.confirm({ password })
    assert.equal((await alice.dataExports.download({ id })).status, 200)
  })

  it('is removed after 7 days', async (world) => {
    const { alice, app, clock } = world
    await alice.account()
    const before = await filesOnDisk(world)
    const { id } = await alice.dataExports.request()
    await app.work()
    assert.equal((await filesOnDisk(world)).length, before.length + 1)
    clock.pass(7 * DAY - 60)
    await app.cleanUp()
    await alice.accounts.signIn({ email: alice.email, password })
    assert.equal((await alice.dataExports.download({ id })).status, 200)
    clock.pass(61)
    await assert.rejects(alice.dataExports.download({ id }), refused(404))
    await app.cleanUp()
    assert.deepEqual(await filesOnDisk(world), before)
  })

  it('lists what does not fit, and is finished by another process', async (world) => {
    const { alice, dependencies, clock } = world
    await live(world)
    const { id } = await alice.dataExports.request()
    const broken = {
      ...dependencies,
      blobs: {
        ...dependencies.blobs,
        objects: { ...dependencies.blobs.objects, get: () => Promise.reject(new Error('away')) },
      },
    }
    await assert.rejects(prepareExports(broken), /away/)
    assert.equal((await alice.dataExports.list()).items[0]?.state, 'waiting')
    clock.pass(61)
    await alice.reauthentication.confirm({ password })
    await Promise.all([
      prepareExports(dependencies, { bytes: 1, files: 100 }),
      prepareExports(dependencies, { bytes: 1, files: 100 }),
    ])
    const { json, names } = await opened(alice, id)
    assert.equal(names.filter((name) => name.startsWith('files/')).length, 0)
    assert.equal(json('left-out').length, 7)
  })

  it('stays with the process that prepares it, however long that takes', async (world) => {
    const { alice, dependencies, clock, mails } = world
    await live(world)
    const { id } = await alice.dataExports.request()
    const { artifacts } = dependencies.blobs
    let reads = 0
    const read: typeof artifacts.read = async (sha256, ...range) => {
      reads++
      clock.pass(20)
      // Another process looks for work in the meantime.
      await prepareExports(dependencies)
      return artifacts.read(sha256, ...range)
    }
    const slow = { ...dependencies, blobs: { ...dependencies.blobs, artifacts: { ...artifacts, read } } }
    await prepareExports(slow)
    assert.ok(reads >= 3, `${reads} files take longer than a lease`)
    const row = await world.db.selectFrom('dataExport').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    assert.ok(row.readyAt)
    assert.equal((await mails(alice.email)).filter(({ body }) => body.includes('/settings/data')).length, 1)
  })

  it('fails after three tries, and says so', async (world) => {
    const { alice, dependencies, mails } = world
    await live(world)
    await alice.dataExports.request()
    const broken = {
      ...dependencies,
      blobs: {
        ...dependencies.blobs,
        artifacts: { ...dependencies.blobs.artifacts, stage: () => Promise.reject(new Error('full')) },
      },
    }
    for (let count = 1; count <= 3; count++) {
      assert.equal((await alice.dataExports.list()).items[0]?.state, 'waiting')
      await assert.rejects(prepareExports(broken), /full/)
    }
    assert.equal((await alice.dataExports.list()).items[0]?.state, 'failed')
    assert.match((await mails(alice.email)).at(-1)!.subject, /could not be exported/)
  })
})

onEveryStore('an export', (it) => {
  it('streams into the store and out of it', async (world) => {
    await live(world)
    const { names } = await exported(world)
    assert.equal(names.filter((name) => name.startsWith('files/')).length, 7)
  })
})

onEveryEngine(
  'exports',
  (it) => {
    it('are one at a time, three a day', async (world) => {
      const { alice, app, mails } = world
      const both = await Promise.allSettled([alice.dataExports.request(), alice.dataExports.request()])
      assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
      for (let count = 2; count <= 3; count++) {
        await app.work()
        await alice.dataExports.request()
      }
      await app.work()
      await assert.rejects(alice.dataExports.request(), refused(429))
      assert.equal((await mails(alice.email)).filter(({ subject }) => /ready to download/.test(subject)).length, 3)
    })
  },
  { RATE_LIMITS: 'on' },
)
