// A member proves to be a person of a tracker, by a code that the person writes there.
import assert from 'node:assert/strict'
import { type Linked, linkTo, settings } from '../../../test/trackers.ts'
import { newBrowser } from '../../../test/visitors.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { serviceNames } from './contract.ts'

const report = { title: 'The tray jams', description: 'It jams on Mondays.', severity: 'medium' } as const

/** A link with one bug that is an issue, and someone there. */
async function begin(world: World, service: (typeof serviceNames)[number] = 'github') {
  const linked = await linkTo(world, service)
  const { id } = await world.alice.bugs.create(report)
  await linked.settle()
  const { there } = linked
  if (!there.users.has('octocat')) there.addUser('octocat')
  const comments = async () => (await world.alice.bugs.comments({ id })).items.map(({ body }) => body)
  return { ...linked, service, bugId: id, comments }
}

const loginOf = async (person: Person) => (await person.trackerAccounts.list()).items.map(({ login }) => login)

async function prove(person: Person, { there, settle, service }: Linked & { service: 'github' }, login = 'octocat') {
  const { code } = await person.trackerAccounts.ask({ service, login })
  there.act(login).comment(1, code)
  await settle()
}

for (const service of serviceNames) {
  onEveryEngine(
    `a member who is someone at ${service}`,
    (it) => {
      it('writes a code there, and acts as themselves from then on; the code does not come here', async (world) => {
        const { there, settle, bugId, comments } = await begin(world, service)
        await world.moderator.profile.setUsername({ username: 'mona' })
        const asked = await world.moderator.trackerAccounts.ask({ service, login: 'octocat' })
        assert.match(asked.code, /^guildhall-link-[0-9a-f]{32}$/)
        assert.equal(asked.login, 'octocat')
        const [before] = (await world.moderator.trackerAccounts.list()).items
        assert.deepEqual([before?.login, before?.waiting?.login], [null, 'octocat'])
        const stored = await world.db.selectFrom('trackerAccount').selectAll().execute()
        assert.ok(!JSON.stringify(stored).includes(asked.code))
        there.act('octocat').comment(1, ` ${asked.code}\n`)
        await settle()
        const [own] = (await world.moderator.trackerAccounts.list()).items
        assert.deepEqual(
          [own?.login, own?.waiting, own?.places.map(({ people }) => people)],
          ['octocat', null, [['octocat']]],
        )
        assert.deepEqual(await comments(), [])
        assert.equal(there.issue(1).comments.length, 1, 'it stays there')
        there.act('octocat').comment(1, 'I look at it')
        there.act('octocat').edit(1, { state: 'closed' })
        await settle()
        const { items } = await world.alice.bugs.comments({ id: bugId })
        assert.deepEqual(
          items.map(({ body, authorUsername }) => [body, authorUsername]),
          [['I look at it', 'mona']],
        )
        assert.notEqual((await world.alice.bugs.get({ id: bugId })).status, 'open')
        const [tracker] = (await world.admin.trackers.list()).items
        assert.deepEqual(tracker?.people, [{ login: 'octocat', username: 'mona', by: 'member' }])
      })
    },
    settings,
  )
}

onEveryEngine(
  'the code of a member for a tracker',
  (it) => {
    it('is found by asking too, where no delivery comes', async (world) => {
      const { there, poll } = await begin(world)
      const { code } = await world.bob.trackerAccounts.ask({ service: 'github', login: 'octocat' })
      there.act('octocat').comment(1, code)
      await poll()
      assert.deepEqual(await loginOf(world.bob), ['octocat'])
    })

    it('counts in a comment of that person alone, which is nothing else and was not edited', async (world) => {
      const { there, settle, comments } = await begin(world)
      const { code } = await world.bob.trackerAccounts.ask({ service: 'github', login: 'octocat' })
      there.act('eve').comment(1, code)
      await settle()
      assert.deepEqual(await loginOf(world.bob), [null])
      const octocat = there.act('octocat')
      octocat.comment(1, `> ${code}`)
      await settle()
      assert.deepEqual(await loginOf(world.bob), [null])
      assert.equal((await comments()).length, 1, 'a quote is a comment')
      const { id } = octocat.comment(1, 'Something else')
      world.clock.pass(5)
      there.act('maintainer').editComment(1, id, code)
      await settle()
      assert.deepEqual(await loginOf(world.bob), [null])
      octocat.comment(1, code.toUpperCase())
      octocat.comment(1, `${code}0`)
      await settle()
      assert.deepEqual(await loginOf(world.bob), [null])
      octocat.comment(1, code)
      await settle()
      assert.deepEqual(await loginOf(world.bob), ['octocat'])
    })

    it('counts once', async (world) => {
      const linked = await begin(world)
      const { code } = await world.bob.trackerAccounts.ask({ service: 'github', login: 'octocat' })
      linked.there.act('octocat').comment(1, code)
      await linked.settle()
      await world.bob.trackerAccounts.remove({ service: 'github' })
      linked.there.act('octocat').comment(1, code)
      await linked.settle()
      assert.deepEqual(await loginOf(world.bob), [null])
      await assert.rejects(world.bob.trackerAccounts.remove({ service: 'github' }), { status: 404 })
    })

    it('ends after an hour, and with another one', async (world) => {
      const { there, settle } = await begin(world)
      const first = await world.bob.trackerAccounts.ask({ service: 'github', login: 'octocat' })
      const second = await world.bob.trackerAccounts.ask({ service: 'github', login: 'octocat' })
      there.act('octocat').comment(1, first.code)
      await settle()
      assert.deepEqual(await loginOf(world.bob), [null])
      world.clock.pass(3_600)
      there.act('octocat').comment(1, second.code)
      await settle()
      assert.deepEqual(await loginOf(world.bob), [null])
      const [own] = (await world.bob.trackerAccounts.list()).items
      assert.equal(own?.waiting, null)
    })

    it('ends a second before the hour not', async (world) => {
      const { there, settle } = await begin(world)
      const { code } = await world.bob.trackerAccounts.ask({ service: 'github', login: 'octocat' })
      world.clock.pass(3_590)
      there.act('octocat').comment(1, code)
      await settle()
      assert.deepEqual(await loginOf(world.bob), ['octocat'])
    })

    it('is refused to others than signed-in members, for people who are not there, and for that of the link', async (world) => {
      const { there } = await begin(world)
      const ask = (person: Person, login: string, service: 'github' | 'gitlab' = 'github') =>
        person.trackerAccounts.ask({ service, login })
      await assert.rejects(ask(world.anonymous, 'octocat'), { status: 401 })
      await assert.rejects(world.anonymous.trackerAccounts.list(), { status: 401 })
      await assert.rejects(ask(world.bob, 'no-one-there'), { status: 404 })
      await assert.rejects(ask(world.bob, 'octocat', 'gitlab'), { status: 404 })
      await assert.rejects(ask(world.bob, 'guild-bot'), { status: 409 })
      await assert.rejects(ask(world.bob, 'a/b'), { status: 400 })
      assert.ok(there.users.has('octocat'))
      world.clock.pass(601)
      await assert.rejects(ask(world.bob, 'octocat'), { status: 403, code: 'reauthentication_required' })
    })

    it('has no place where the board is closed to the member, or the link is paused', async (world) => {
      const { id, boardId } = { ...(await begin(world)), boardId: crypto.randomUUID() }
      await world.admin.trackers.update({ id, state: 'paused' })
      await assert.rejects(world.bob.trackerAccounts.ask({ service: 'github', login: 'octocat' }), { status: 404 })
      await world.admin.boards.create({
        slug: 'inner',
        name: 'Inner',
        readers: 'roles: moderator',
        writers: 'roles: moderator',
      })
      const board = await world.db.selectFrom('board').select('id').where('slug', '=', 'inner').executeTakeFirst()
      await world.db
        .updateTable('tracker')
        .set({ boardId: board?.id ?? boardId })
        .execute()
      assert.deepEqual((await world.bob.trackerAccounts.list()).items, [])
      assert.equal((await world.admin.trackerAccounts.list()).items.length, 1)
    })
  },
  settings,
)

onEveryEngine(
  'the budget of codes for trackers',
  (it) => {
    it('is ten an hour for an account', async (world) => {
      await begin(world)
      for (let n = 0; n < 10; n++) await world.bob.trackerAccounts.ask({ service: 'github', login: 'octocat' })
      await assert.rejects(world.bob.trackerAccounts.ask({ service: 'github', login: 'octocat' }), { status: 429 })
    })

    it('is gone around by no dry run, which would ask the service each time', async (world) => {
      await begin(world)
      const answer = await world.bob.request('/api/account/trackers', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Prefer: 'handling=dry-run' },
        body: JSON.stringify({ service: 'github', login: 'octocat' }),
      })
      assert.equal(answer.status, 400)
    })
  },
  { ...settings, RATE_LIMITS: 'on' },
)

onEveryEngine(
  'a person of a tracker',
  (it) => {
    it('acts for one account, and an account has one person', async (world) => {
      const linked = { ...(await begin(world)), service: 'github' as const }
      linked.there.addUser('hubot')
      const waiting = await world.alice.trackerAccounts.ask({ service: 'github', login: 'octocat' })
      await prove(world.bob, linked)
      await assert.rejects(world.bob.trackerAccounts.ask({ service: 'github', login: 'hubot' }), { status: 409 })
      await assert.rejects(world.admin.trackerAccounts.ask({ service: 'github', login: 'octocat' }), { status: 409 })
      linked.there.act('octocat').comment(1, waiting.code)
      await linked.settle()
      assert.deepEqual([await loginOf(world.bob), await loginOf(world.alice)], [['octocat'], [null]])
    })

    it('acts for whom an admin named first, and for no one once the admin says so', async (world) => {
      const linked = { ...(await begin(world)), service: 'github' as const }
      await prove(world.bob, linked)
      const username = await linked.linkPerson('octocat', world.moderator)
      const [own] = (await world.bob.trackerAccounts.list()).items
      assert.deepEqual(own?.places[0]?.people, [])
      assert.deepEqual((await world.moderator.trackerAccounts.list()).items[0]?.places[0]?.people, ['octocat'])
      linked.there.act('octocat').comment(1, 'For the moderator')
      await linked.settle()
      const { items } = await world.alice.bugs.comments({ id: linked.bugId })
      assert.equal(items[0]?.authorUsername, username)
      await world.admin.trackers.setPerson({ id: linked.id, login: 'octocat', username: null })
      assert.deepEqual(await loginOf(world.bob), [null])
    })

    it('acts for an account until that ends it, and what it wrote stays', async (world) => {
      const linked = { ...(await begin(world)), service: 'github' as const }
      await world.bob.profile.setUsername({ username: 'bob_w' })
      await prove(world.bob, linked)
      linked.there.act('octocat').comment(1, 'As Bob')
      await linked.settle()
      await world.bob.trackerAccounts.remove({ service: 'github' })
      linked.there.act('octocat').comment(1, 'As myself')
      await linked.settle()
      const { items } = await world.alice.bugs.comments({ id: linked.bugId })
      assert.deepEqual(
        items.map(({ authorUsername }) => authorUsername),
        ['bob_w', 'octocat'],
      )
      const acts = await world.db
        .selectFrom('audit')
        .select('action')
        .where('action', 'like', 'tracker-account.%')
        .orderBy('position')
        .execute()
      assert.deepEqual(
        acts.map(({ action }) => action),
        ['tracker-account.link', 'tracker-account.unlink'],
      )
    })

    it('does not act for an account that is blocked, or whose password was reset since', async (world) => {
      const linked = { ...(await begin(world)), service: 'github' as const }
      const email = 'mallory@example.com'
      const mallory = newBrowser(world)
      await mallory.accounts.signUp({ name: 'Mallory', email, password: 'a long password' })
      const { code } = await mallory.trackerAccounts.ask({ service: 'github', login: 'octocat' })
      await world.db
        .updateTable('user')
        .set({ blockedAt: '2026-01-01T00:00:00.000Z' })
        .where('email', '=', email)
        .execute()
      linked.there.act('octocat').comment(1, code)
      await linked.settle()
      const linkedNow = () => world.db.selectFrom('trackerAccount').select('linkedAt').execute()
      assert.deepEqual(await linkedNow(), [{ linkedAt: null }])
    })
  },
  settings,
)
