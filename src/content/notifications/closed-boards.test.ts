// What is told of what is in a closed board: to those who read that now, and to nobody else. Through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { CLIENT, startProvider } from '../../../test/external-provider.ts'
import { joinTeam } from '../../../test/teams.ts'
import { verify } from '../../../test/visitor.ts'
import { BASE_URL, onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { listRows, sections } from '../../accounts/export-data-queries.ts'
import { boardsOfExport } from '../../accounts/exporting.ts'
import { required } from '../../runtime/untyped.ts'

const SECRET = 'Zanzibarrow'
const bug = { title: `${SECRET} title`, description: `${SECRET} text`, severity: 'low', board: 'inner' } as const

const provider = await startProvider(`${BASE_URL}/sign-in/external`)
const settings = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret }

interface Way {
  readers: string
  /** Lets bob read the board. */
  open?(world: World): Promise<unknown>
  /** And no more. */
  close(world: World, id: string): Promise<unknown>
}

const idOf = async (person: Person) => (await person.account()).id

async function inTeam({ alice, bob }: World) {
  await bob.notifications.updateSettings({ invitation: 'off' })
  await joinTeam(alice, { slug: 'core', username: 'bobby' }, bob)
}

async function invited({ admin, bob }: World) {
  const { link } = await admin.invitationLinks.create({ board: 'inner', maxUses: 1 })
  await bob.invitation.open({ key: new URL(link).searchParams.get('key') ?? '' })
  await bob.invitation.accept()
}

/** Bob signs in with the provider, which says these groups of him. */
async function signInAs({ bob }: World, user: string, groups: readonly string[]) {
  provider.users[user] = { groups }
  const { url } = await bob.external.begin({ to: '/' })
  await bob.external.finish({ query: await provider.signIn(url, user) })
}

async function connected(world: World) {
  const { bob } = world
  const user = await idOf(bob)
  const { url } = await bob.external.beginLink({ to: '/settings/security' })
  await bob.external.finish({ query: await provider.signIn(url, user) })
  await signInAs(world, user, ['staff'])
}

/** How an account reads a board, and how it loses that. */
const ways: Readonly<Record<string, Way>> = {
  'its rule': {
    readers: 'members',
    close: ({ admin }) => admin.boards.update({ board: 'inner', readers: 'none' }),
  },
  'a role': {
    readers: 'roles: moderator',
    open: async ({ admin, bob }) => admin.admin.setRole({ id: await idOf(bob), role: 'moderator' }),
    close: async ({ admin, bob }) => admin.admin.setRole({ id: await idOf(bob), role: 'member' }),
  },
  'a team': {
    readers: 'teams: core',
    open: inTeam,
    close: async ({ alice, bob }) => alice.teams.remove({ slug: 'core', accountId: await idOf(bob) }),
  },
  'an invitation': {
    readers: 'invited',
    open: invited,
    close: async ({ admin, bob }) => admin.boards.removeMember({ board: 'inner', userId: await idOf(bob) }),
  },
  'a group of the provider': {
    readers: 'groups: staff',
    open: connected,
    close: async (world) => signInAs(world, await idOf(world.bob), ['guests']),
  },
  'a move of the thing': {
    readers: 'members',
    async close({ admin, moderator }, id) {
      await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: moderator' })
      await moderator.boards.move({ board: 'staff', type: 'bug', id, confirm: true })
    },
  },
}

/** A board with a bug of the moderator, which bob follows, and where he is named, answered and assigned. */
async function start(world: World, { readers, open }: Pick<Way, 'readers' | 'open'>) {
  const { admin, moderator, alice, bob } = world
  for (const person of [alice, bob]) await verify(world, await person.account())
  await admin.boards.create({ slug: 'inner', name: 'Inner' })
  await bob.profile.setUsername({ username: 'bobby' })
  await alice.teams.create({ slug: 'core', name: 'Core' })
  await admin.boards.update({ board: 'inner', readers })
  await open?.(world)
  const { id } = await moderator.bugs.create(bug)
  return { id }
}

const list = async (person: Person) => (await person.notifications.list({ after: '0', per_page: 100 })).items
const told = async ({ app }: World, person: Person) => {
  await app.deliver()
  return (await list(person)).map(({ type, excerpt }) => `${type}: ${excerpt}`)
}

/** Nothing of the board in what an account gets of its inbox. */
async function assertNothing(world: World, person: Person, where: string) {
  const answers = [
    await person.notifications.list(),
    await person.notifications.list({ after: '0' }),
    await person.notifications.list({ unread: 'true', board: 'main' }),
    await person.notifications.count(),
    await person.news.list({}),
    await person.follows.list({}),
  ]
  assert.doesNotMatch(JSON.stringify(answers), new RegExp(SECRET), where)
  assert.deepEqual((answers[0] as { items: unknown[] }).items, [], where)
  assert.deepEqual([(answers[0] as { unread: number }).unread, answers[3]], [0, { unread: 0 }], where)
  const mails = (await world.mails(person.email)).filter(({ unsubscribeUrl }) => unsubscribeUrl)
  assert.doesNotMatch(JSON.stringify(mails), new RegExp(SECRET), where)
}

onEveryEngine(
  'notifications of what is in a closed board',
  (it) => {
    it('come to its readers: authors, followers, those who are named, answered and assigned, and by mail', async (world) => {
      const { moderator, bob, alice } = world
      const { id } = await start(world, { readers: 'invited', open: invited })
      await alice.profile.setUsername({ username: 'alice' })
      const said = await bob.bugs.comment({ id, body: `${SECRET} here too` })
      await moderator.bugs.comment({ id, body: `${SECRET} looking`, parentId: said.id })
      await moderator.bugs.comment({ id, body: `${SECRET} for @bobby and @alice` })
      await moderator.threads.assign({ id, account: await idOf(bob) })
      await moderator.bugs.triage({ id, status: 'in_progress' })
      assert.deepEqual(await told(world, moderator), [`comment: ${SECRET} here too`])
      assert.deepEqual(await told(world, bob), [
        `reply: ${SECRET} looking`,
        `mention: ${SECRET} for @bobby and @alice`,
        'status: ',
        'status: ',
      ])
      assert.equal((await bob.notifications.count()).unread, 4)
      assert.equal((await bob.notifications.list({ board: 'inner' })).items.length, 4)
      assert.equal((await bob.notifications.list({ board: 'main' })).items.length, 0)
      assert.deepEqual([(await list(bob))[0]!.target.title, (await bob.news.list({})).unread], [bug.title, 4])
      const mails = (await world.mails(bob.email)).filter(({ unsubscribeUrl }) => unsubscribeUrl)
      assert.match(mails.map(({ body }) => body).join(), new RegExp(`${SECRET} looking`))
      await assertNothing(world, alice, 'alice, who is named')
      assert.deepEqual(await bob.notifications.read({ through: '9' }), { unread: 0 })
    })

    it('come of what a reader chose to follow, who sees that in the list, and of new things of a member', async (world) => {
      const { moderator, bob, alice } = world
      const { id } = await start(world, { readers: 'invited', open: invited })
      await bob.follows.set({ id, state: 'following' })
      assert.equal((await bob.follows.get({ id })).state, 'following')
      await assert.rejects(alice.follows.get({ id }), { status: 404 })
      await assert.rejects(alice.follows.set({ id, state: 'following' }), { status: 404 })
      const { items } = await bob.follows.list({ of: 'things' })
      assert.deepEqual(
        items.map((one) => [one.id, one.type, one.title, one.number]),
        [[id, 'bug', bug.title, (await bob.bugs.get({ id })).number]],
      )
      await moderator.profile.setUsername({ username: 'modest' })
      for (const person of [alice, bob]) await person.follows.set({ id: await idOf(moderator), state: 'following' })
      await moderator.posts.create({ title: 'News', body: SECRET, board: 'inner' })
      await moderator.bugs.comment({ id, body: 'Hm' })
      assert.deepEqual(await told(world, bob), [`posted: ${SECRET}`, 'comment: Hm'])
      await assertNothing(world, alice, 'alice, who follows its author')
    })

    for (const [name, way] of Object.entries(ways)) {
      it(`are gone for who reads it no more: ${name}`, async (world) => {
        const { moderator, bob, app, clock } = world
        const { id } = await start(world, way)
        await bob.follows.set({ id, state: 'following' })
        await moderator.bugs.comment({ id, body: `${SECRET} one` })
        assert.deepEqual(await told(world, bob), [`comment: ${SECRET} one`])
        await bob.notifications.updateSettings({ mention: 'daily', comment: 'daily' })
        await moderator.bugs.comment({ id, body: `${SECRET} two @bobby` })
        await app.deliver()
        assert.equal((await bob.notifications.count()).unread, 2)
        await moderator.threads.assign({ id, account: await idOf(bob) })
        assert.equal((await bob.threads.myWork({})).items[0]?.title, bug.title)
        await moderator.bugs.comment({ id, body: `${SECRET} three @bobby` })
        await way.close(world, id)
        await assertNothing(world, bob, 'before the delivery')
        clock.pass(2 * 86_400)
        await app.deliver()
        await assertNothing(world, bob, 'after the delivery')
        await moderator.bugs.comment({ id, body: `${SECRET} four @bobby` })
        await app.deliver()
        await assertNothing(world, bob, 'of what is new')
        assert.equal((await bob.threads.myWork({})).total, 0)
      })
    }

    it('come back with the board, those of the time between not', async (world) => {
      const { admin, moderator, bob, app } = world
      const { id } = await start(world, { readers: 'members' })
      await bob.follows.set({ id, state: 'following' })
      await moderator.bugs.comment({ id, body: 'One' })
      await app.deliver()
      await admin.boards.update({ board: 'inner', readers: 'none' })
      await moderator.bugs.comment({ id, body: 'Two' })
      assert.deepEqual(await told(world, bob), [])
      await admin.boards.update({ board: 'inner', readers: 'members' })
      assert.deepEqual(await told(world, bob), ['comment: One'])
      await admin.boards.update({ board: 'inner', readers: 'everyone', confirm: true })
      assert.deepEqual(await told(world, bob), ['comment: One'], 'it stays where everybody reads it')
      assert.equal((await bob.notifications.count()).unread, 1)
      await admin.boards.update({ board: 'inner', readers: 'none' })
      assert.deepEqual(await told(world, bob), [])
      assert.equal((await bob.notifications.count()).unread, 0)
    })

    it('leave out what is hidden, removed or of who is blocked, in the list and in the count', async (world) => {
      const { admin, moderator, bob, alice, app } = world
      const { id } = await start(world, { readers: 'members' })
      await bob.follows.set({ id, state: 'following' })
      const { id: commentId } = await alice.bugs.comment({ id, body: 'Spam' })
      await moderator.bugs.comment({ id, body: 'Ham' })
      await app.deliver()
      const now = async () => [await told(world, bob), (await bob.notifications.count()).unread]
      assert.deepEqual(await now(), [['comment: Spam', 'comment: Ham'], 2])
      await moderator.reports.create({ targetType: 'comment', targetId: commentId, reason: 'spam' })
      const [one] = (await moderator.moderation.cases()).items
      const act = await admin.moderation.decide({ id: one!.id, action: 'hide', rule: 'spam', reason: 'Spam' })
      assert.deepEqual(await now(), [['comment: Ham'], 1])
      await admin.moderation.undo({ id: act.id, reason: 'No' })
      assert.deepEqual(await now(), [['comment: Spam', 'comment: Ham'], 2])
      await admin.admin.block({ id: await idOf(alice), blocked: true, reason: 'Spam' })
      assert.deepEqual(await now(), [['comment: Ham'], 1])
      await moderator.bugs.delete({ id, reason: 'Gone' })
      assert.deepEqual(await now(), [[], 0])
      assert.deepEqual(await bob.follows.list({}).then(({ items }) => items), [])
    })

    it('come of what was held once a moderator approves it, and of what is decided about a thing', async (world) => {
      const { admin, moderator, bob, alice, clock, app } = world
      await start(world, { readers: 'members' })
      await admin.settings.change({ changes: { HOLD_LINKS_HOURS: '24' } })
      const carol = world.person('carol')
      await carol.profile.setUsername({ username: 'carol' })
      const { id } = await carol.posts.create({ title: 'Held', body: 'See https://x.example, @bobby', board: 'inner' })
      assert.deepEqual(await told(world, bob), [])
      const [held] = (await moderator.moderation.cases()).items
      await moderator.moderation.decide({ id: held!.id, action: 'approve', rule: 'other', reason: '' })
      assert.deepEqual(await told(world, bob), ['mention: See https://x.example, @bobby'])
      clock.pass(1)
      const mine = await alice.bugs.create({ ...bug, title: 'Mine' })
      const { id: commentId } = await bob.bugs.comment({ id: mine.id, body: 'So' })
      for (const person of [moderator, admin]) {
        await person.threads.pin({ id: mine.id, pinned: person === moderator })
        await person.threads.lock({ id: mine.id, locked: person === moderator })
      }
      await moderator.threads.solve({ id: mine.id, commentId })
      assert.equal((await bob.threads.changes({ id: mine.id })).items.length, 5)
      assert.equal((await told(world, bob)).length, 2)
      await admin.boards.update({ board: 'inner', readers: 'none' })
      await assert.rejects(bob.threads.changes({ id: mine.id }), { status: 404 })
      await assert.rejects(alice.threads.solve({ id: mine.id, commentId: null }), { status: 404 })
      assert.equal(id.length, 36)
      await app.deliver()
    })

    it('are in an export with their titles while the account reads the board, and not in it afterwards', async (world) => {
      const { admin, moderator, bob, app, db } = world
      const { id } = await start(world, { readers: 'members' })
      await bob.follows.set({ id, state: 'following' })
      await moderator.bugs.comment({ id, body: 'Hm' })
      await app.deliver()
      const inbox = async () => {
        const { userId } = await db.selectFrom('notification').select('userId').executeTakeFirstOrThrow()
        const placed = await boardsOfExport(world.dependencies, userId)
        const rows = await listRows(db, required(sections['inbox']), { userId, after: '', limit: 10 })
        return rows.map(placed).flatMap((row) => (row ? [row['title']] : []))
      }
      assert.deepEqual(await inbox(), [bug.title])
      await admin.boards.update({ board: 'inner', readers: 'none' })
      assert.deepEqual(await inbox(), [])
    })

    it('are counted by a dry run for its readers alone', async (world) => {
      const { moderator, bob, alice } = world
      const { id } = await start(world, { readers: 'invited', open: invited })
      await alice.profile.setUsername({ username: 'alice' })
      const tried = await moderator.request(`/api/community/bugs/${id}/comments`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Prefer: 'handling=dry-run' },
        body: JSON.stringify({ body: 'For @bobby and @alice' }),
      })
      assert.match(String(tried.headers.get('dry-run')), /^notifications=1,/)
      assert.deepEqual([await told(world, bob), await told(world, alice)], [[], []])
    })
  },
  settings,
)
