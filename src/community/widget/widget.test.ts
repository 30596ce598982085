// The widget on other sites through the front door: signed identities, what their tokens may do, and reports of guests.
import assert from 'node:assert/strict'
import { solveChallenge } from 'altcha-lib'
import { UnsecuredJWT } from 'jose'
import { sql } from 'kysely'
import { tinyPng } from '../../../test/pictures.ts'
import { callingFrom } from '../../../test/visitor.ts'
import { LISTED, OTHER_SITE, SITE, siteOf } from '../../../test/widget.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { engineOf } from '../../database/engine.ts'
import { shareOfNetwork } from '../../runtime/network-share.ts'
import { required } from '../../runtime/untyped.ts'
import { usernameOf } from './accounts.ts'
import { MAX_KEYS } from './contract.ts'
import { BY_ACCOUNT, REPORTS } from './handlers.ts'

const bug = { title: 'The export stays empty', description: 'I pressed Export.', severity: 'medium' } as const
const identify = ({ anonymous }: World, identity: string) => anonymous.widget.identify({ identity })
const refused = (body: RegExp) => (error: { status: number; body: unknown }) => {
  assert.equal(error.status, 401)
  assert.match(JSON.stringify(error.body), body)
  return true
}
const seconds = ({ clock }: World) => Math.floor(clock.now() / 1000)

onEveryEngine(
  'a signed identity',
  (it) => {
    it('gives a token of an account of its own, the same at each use, which files, asks, comments and votes', async (world) => {
      const site = await siteOf(world)
      const ada = await site.person()
      assert.equal(ada.username, 'ada')
      const filed = await ada.call('POST', '/api/community/bugs', bug)
      assert.equal(filed.status, 201, JSON.stringify(filed.body))
      const asked = await ada.call('POST', '/api/community/features', { title: 'Dark exports', description: 'Please.' })
      assert.equal(asked.status, 201)
      const { id: other } = await world.alice.features.create({ title: 'Wider tables', description: 'For numbers.' })
      assert.equal((await ada.call('POST', `/api/community/features/${other}/vote`, { value: 1 })).body['score'], 1)
      const said = await ada.call('POST', `/api/community/features/${other}/comments`, { body: 'Me too' })
      assert.equal(said.status, 201)
      const shown = await world.anonymous.bugs.get({ id: String(filed.body['id']) })
      // A person wrote it, and no agent.
      assert.deepEqual([shown.authorUsername, shown.via], ['ada', null])
      const again = await site.person({ name: 'Ada Lovelace' })
      assert.equal(again.username, 'ada')
      assert.equal((await again.call('POST', `/api/community/features/${other}/vote`, { value: 1 })).body['score'], 1)
    })

    it('makes one account for a person of each site, however many come at once', async (world) => {
      const [one, two] = [await siteOf(world), await siteOf(world, OTHER_SITE)]
      for (let round = 0; round < 10; round++) {
        const claims = { sub: `u-${round}`, name: `Mira ${round}` }
        const names = await Promise.all(Array.from({ length: 4 }, async () => (await one.person(claims)).username))
        assert.equal(new Set(names).size, 1)
        assert.equal(names[0], `mira-${round}`)
        assert.notEqual((await two.person(claims)).username, names[0])
      }
    })

    it('is refused with another key, without a signature, for others, and outside its hour', async (world) => {
      const site = await siteOf(world)
      const other = await siteOf(world, OTHER_SITE)
      const now = seconds(world)
      const claims = { iss: SITE, aud: 'http://localhost:3000', sub: 'u-1', iat: now, exp: now + 600 }
      const none = new UnsecuredJWT(claims).encode()
      const wrong: [token: string, why: RegExp][] = [
        [await site.sign({}, { secret: 'gwidget_'.padEnd(51, 'x') }), /no key of its site signed it/],
        [await site.sign({}, { secret: other.secret }), /no key of its site/],
        [await site.sign({ iss: OTHER_SITE }), /no key of its site/],
        [await site.sign({}, { alg: 'HS512', secret: site.secret.padEnd(64, 'x') }), /no key of its site/],
        [none, /no key of its site/],
        [`${none}x`, /no key of its site/],
        [await site.sign({ iss: 'https://unlisted.example' }), /iss is not the origin/],
        [await site.sign({ aud: 'https://elsewhere.example' }), /aud is not http:\/\/localhost:3000/],
        [await site.sign({ iat: now - 700, exp: now - 31 }), /expired/],
        [await site.sign({ iat: now + 60, exp: now + 600 }), /later than now/],
        [await site.sign({ iat: now, exp: now + 3601 }), /longer than an hour/],
        [await site.sign({ exp: undefined }), /iat and exp/],
        [await site.sign({ iat: undefined }), /iat and exp/],
        [await site.sign({ sub: '' }), /sub is a text/],
        [await site.sign({ sub: 'x'.repeat(201) }), /sub is a text/],
        [await site.sign({ sub: 7 }), /sub is a text/],
        ['not a token', /no signed token/],
      ]
      for (const [token, why] of wrong) await assert.rejects(identify(world, token), refused(why))
      await identify(world, await site.sign({ exp: now + 3600, sub: 'x'.repeat(200) }))
      await identify(world, await site.sign({ aud: ['https://elsewhere.example', 'http://localhost:3000'] }))
    })

    it('is good again until it expires, and its token ends with it', async (world) => {
      const site = await siteOf(world)
      const identity = await site.sign()
      const { token } = await identify(world, identity)
      assert.notEqual((await identify(world, identity)).token, token)
      const ada = await site.person({ exp: seconds(world) + 120 })
      assert.equal((await ada.call('POST', '/api/community/bugs', bug)).status, 201)
      world.clock.pass(200)
      assert.equal((await ada.call('POST', '/api/community/bugs', bug)).status, 401)
    })

    it('proves no address: it takes no account over, and its account has none', async (world) => {
      const { email, username } = await world.alice.account()
      const site = await siteOf(world)
      const thief = await site.person({ email })
      assert.notEqual(thief.username, username)
      await site.person({ sub: 'u-2', email: 'new@example.com' })
      const { users } = await world.admin.admin.listUsers({ q: 'new@example.com' })
      assert.deepEqual(users, [])
    })

    it('calls nothing but what the widget does, and never acts with a role', async (world) => {
      const site = await siteOf(world)
      const ada = await site.person()
      const outside: [method: string, path: string, body?: object][] = [
        ['GET', '/api/community/notifications'],
        ['GET', '/api/community/feed'],
        ['POST', '/api/community/posts', { title: 'T', body: 'B' }],
        ['PATCH', '/api/community/profile', { name: 'X' }],
        ['GET', '/api/community/admin/widget-keys'],
      ]
      for (const [method, path, body] of outside) {
        const { status, body: said } = await ada.call(method, path, body)
        assert.equal(status, 403, path)
        assert.match(JSON.stringify(said), /of the widget, and does nothing else/)
      }
    })

    it('of a blocked account gives no token, and one that is there does nothing more', async (world) => {
      const site = await siteOf(world)
      const ada = await site.person()
      const { users } = await world.admin.admin.listUsers({ q: 'ada' })
      await world.admin.admin.block({ id: users[0]!.id, blocked: true })
      await assert.rejects(site.person(), { status: 403 })
      assert.equal((await ada.call('POST', '/api/community/bugs', bug)).status, 401)
    })
  },
  LISTED,
)

onEveryEngine(
  'an identity of sites that prove addresses',
  (it) => {
    it('has its address where no account has it, and still takes none over', async (world) => {
      const { email, username } = await world.alice.account()
      const site = await siteOf(world)
      assert.notEqual((await site.person({ email })).username, username)
      await site.person({ sub: 'u-2', email: 'new@example.com' })
      const proven = await world.admin.admin.listUsers({ q: 'new@example.com' })
      assert.deepEqual([proven.users.length, proven.users[0]?.role], [1, 'member'])
      await world.admin.invitations.create({ email: 'invited@example.com' })
      await site.person({ sub: 'u-4', email: 'invited@example.com' })
      assert.equal((await world.admin.admin.listUsers({ q: 'invited@example.com' })).users.length, 0)
      assert.equal((await world.admin.invitations.list()).items[0]?.email, 'invited@example.com')
      await site.person({ sub: 'u-3', email: 'boss@example.com' })
      assert.equal((await world.admin.admin.listUsers({ q: 'boss@example.com' })).users.length, 0)
    })
  },
  { ...LISTED, WIDGET_EMAILS: 'on', ADMIN_EMAILS: 'boss@example.com, admin@example.com' },
)

onEveryEngine(
  'an address that a sign-up takes at the same moment',
  (it) => {
    it('is that of one account, and both are made', async (world) => {
      const site = await siteOf(world)
      for (let round = 0; round < 10; round++) {
        const email = `race-${round}@example.com`
        const [, signedUp] = await Promise.all([
          site.person({ sub: `u-${round}`, email }),
          callingFrom(world, `198.51.100.${round}`)
            .accounts.signUp({ name: 'R', email, password: 'correct horse battery' })
            .catch((error) => error.status as number),
        ])
        const { users } = await world.admin.admin.listUsers({ q: email })
        assert.equal(users.length, 1)
        assert.ok(typeof signedUp === 'object' || signedUp === 409, String(signedUp))
      }
    })

    it('is left to the account that had it first', async (world) => {
      if (engineOf(world.db) === 'sqlite') return
      const site = await siteOf(world)
      const email = 'slow@example.com'
      const { id } = await world.alice.account()
      const asked = await world.db.transaction().execute(async (db) => {
        await db.updateTable('user').set({ email }).where('id', '=', id).execute()
        const made = site.person({ email })
        await waitingForLock(world, 1)
        return { made }
      })
      assert.equal((await asked.made).username, 'ada')
      assert.deepEqual(await world.db.selectFrom('user').select('id').where('email', '=', email).execute(), [{ id }])
    })
  },
  { ...LISTED, WIDGET_EMAILS: 'on' },
)

/** Resolves when so many queries wait for a lock (PostgreSQL), or after a while. */
async function waitingForLock({ db }: World, count: number) {
  const waiting = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`
  const until = performance.now() + 2_000
  while (required((await waiting.execute(db)).rows[0]).n < count && performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 10))
}

onEveryEngine(
  'keys of the widget',
  (it) => {
    it('give no token once they are revoked, also where that comes between', async (world) => {
      for (let round = 0; round < 10; round++) {
        const site = await siteOf(world)
        const [person] = await Promise.allSettled([site.person(), world.admin.widget.revokeKey({ id: site.keyId })])
        if (person.status === 'rejected') assert.equal(person.reason.status, 401)
        else assert.equal((await person.value.call('POST', '/api/community/bugs', bug)).status, 401, `round ${round}`)
      }
    })

    it('give none, and no waiting, where the account is held up', async (world) => {
      if (engineOf(world.db) === 'sqlite') return
      const site = await siteOf(world)
      await site.person()
      const { userId } = await world.db.selectFrom('widgetIdentity').select('userId').executeTakeFirstOrThrow()
      const both = await world.db.transaction().execute(async (db) => {
        await db.selectFrom('user').select('id').where('id', '=', userId).forUpdate().execute()
        const person = site.person()
        await waitingForLock(world, 1)
        const revoked = world.admin.widget.revokeKey({ id: site.keyId })
        await waitingForLock(world, 2)
        return { person, revoked }
      })
      const ada = await both.person
      await both.revoked
      assert.equal((await ada.call('POST', '/api/community/bugs', bug)).status, 401)
    })

    it('are made by admins for listed sites, shown once, 20 at most, and good until they are revoked', async (world) => {
      const { admin, alice, moderator } = world
      for (const person of [alice, moderator]) {
        await assert.rejects(person.widget.createKey({ site: SITE }), { status: 403 })
        await assert.rejects(person.widget.keys(), { status: 403 })
      }
      await assert.rejects(admin.widget.createKey({ site: 'https://unlisted.example' }), { status: 400 })
      const site = await siteOf(world)
      const ada = await site.person()
      const { items, sites } = await admin.widget.keys()
      assert.deepEqual(sites, [SITE, OTHER_SITE])
      assert.equal(items[0]?.lastUsedAt !== null, true)
      assert.ok(!JSON.stringify(items).includes(site.secret))
      const row = await world.db.selectFrom('widgetKey').select('secret').executeTakeFirstOrThrow()
      assert.ok(!row.secret.includes('gwidget_'))
      for (let n = 1; n < MAX_KEYS; n++) await admin.widget.createKey({ site: SITE })
      await assert.rejects(admin.widget.createKey({ site: SITE }), { status: 409 })
      await admin.widget.revokeKey({ id: site.keyId })
      await assert.rejects(admin.widget.revokeKey({ id: site.keyId }), { status: 404 })
      await assert.rejects(site.person(), { status: 401 })
      assert.equal((await ada.call('POST', '/api/community/bugs', bug)).status, 401)
    })
  },
  LISTED,
)

onEveryEngine(
  'a report of a guest',
  (it) => {
    it('waits for a moderator with its picture, and shows to no one else before', async (world) => {
      const { anonymous, moderator, alice } = world
      const { number } = await anonymous.widget.report({ ...bug, screenshot: await tinyPng() })
      assert.equal((await anonymous.bugs.list()).items.length, 0)
      const [row] = await world.db
        .selectFrom('bug')
        .select(['id', 'description'])
        .where('number', '=', number)
        .execute()
      const { id, description } = row!
      for (const person of [anonymous, alice]) await assert.rejects(person.bugs.get({ id }), { status: 404 })
      const picture = /\((\/api\/images\/text\/[^)]+)\)/.exec(description)?.[1] ?? ''
      assert.equal((await anonymous.request(picture)).status, 404)
      const { items } = await moderator.moderation.cases()
      await moderator.moderation.decide({ id: items[0]!.id, action: 'approve', rule: 'other' })
      assert.equal((await anonymous.bugs.get({ id })).authorUsername, 'guest')
      assert.equal((await anonymous.request(picture)).status, 200)
    })

    it('without a picture is one too, at the limits of its fields', async (world) => {
      const { anonymous } = world
      await anonymous.widget.report({ ...bug, description: 'x'.repeat(800), title: 'y'.repeat(100) })
      await assert.rejects(anonymous.widget.report({ ...bug, description: 'x'.repeat(801) }), { status: 400 })
      await assert.rejects(anonymous.widget.report({ ...bug, title: 'y'.repeat(101) }), { status: 400 })
      await assert.rejects(anonymous.widget.report({ ...bug, screenshot: new Blob(['<svg/>']) }), { status: 400 })
    })

    it('is refused while the account of guests is blocked, or on its way out', async (world) => {
      const { anonymous, admin } = world
      await anonymous.widget.report(bug)
      const { userId } = await world.db.selectFrom('widgetIdentity').select('userId').executeTakeFirstOrThrow()
      const count = async () => (await world.db.selectFrom('bug').select('id').execute()).length
      const refusal = (error: { status: number; body: unknown }) => {
        assert.equal(error.status, 403)
        assert.match(JSON.stringify(error.body), /Reports of guests are not taken here/)
        return true
      }
      await admin.admin.block({ id: userId, blocked: true })
      await assert.rejects(anonymous.widget.report({ ...bug, screenshot: await tinyPng() }), refusal)
      assert.equal((await world.db.selectFrom('textImage').select('id').execute()).length, 0)
      await admin.admin.block({ id: userId, blocked: false })
      await anonymous.widget.report(bug)
      await admin.admin.deleteUser({ id: userId, content: 'delete', reason: 'test' })
      await assert.rejects(anonymous.widget.report(bug), refusal)
      assert.equal(await count(), 2)
      await admin.admin.keepUser({ id: userId })
      await anonymous.widget.report(bug)
    })

    it('takes a proof of work in each mode, each proof once', async (world) => {
      const { anonymous, admin } = world
      const send = async (header?: string) => {
        const body = new FormData()
        for (const [name, value] of Object.entries(bug)) body.set(name, value)
        const headers: Record<string, string> = header === undefined ? {} : { 'Proof-Of-Work': header }
        const path = '/api/community/widget/reports'
        return (await anonymous.request(path, { method: 'POST', headers, body })).status
      }
      for (const mode of ['sign-up', 'unverified', 'new']) {
        await admin.settings.change({ changes: { PROOF_OF_WORK: mode, PROOF_NUMBERS: '1000' } })
        assert.equal(await send(), 403)
        const challenge = await anonymous.challenges.create()
        const { challenge: hash, salt, algorithm, maxnumber } = challenge
        const found = await solveChallenge(hash, salt, algorithm, maxnumber).promise
        const proof = Buffer.from(JSON.stringify({ ...challenge, number: found!.number })).toString('base64')
        assert.equal(await send(proof), 201)
        assert.equal(await send(proof), 403)
      }
    })

    it('is made by one account, however many come at once', async (world) => {
      for (let round = 0; round < 10; round++) {
        const from = (n: number) => callingFrom(world, `198.51.${round}.${n}`)
        await Promise.all([1, 2, 3, 4].map((n) => from(n).widget.report({ ...bug, title: `Bug ${round} ${n}` })))
      }
      const guests = await world.db.selectFrom('widgetIdentity').select('userId').execute()
      const authors = await world.db.selectFrom('bug').select('authorId').distinct().execute()
      assert.deepEqual(authors, [{ authorId: guests[0]!.userId }])
      assert.equal(guests.length, 1)
    })

    it('is taken on a private instance, where a guest reads nothing, and a person of a site what members read', async (world) => {
      const site = await siteOf(world)
      await world.alice.features.create({ title: 'Wider tables', description: 'For numbers.' })
      await world.admin.settings.change({ changes: { READERS: 'members' } })
      await world.anonymous.widget.report(bug)
      await assert.rejects(world.anonymous.features.list(), { status: 401 })
      const ada = await site.person()
      const { status, body } = await ada.call('GET', '/api/community/features')
      assert.deepEqual([status, body['total']], [200, 1])
      assert.equal((await ada.call('GET', '/api/search/similar?title=wider+tables')).status, 200)
    })
  },
  LISTED,
)

onEveryEngine(
  'a call of the widget',
  (it) => {
    it('that exchanges an identity is made 60 times in an hour for one person, and no more', async (world) => {
      const site = await siteOf(world)
      const identity = await site.sign()
      for (let n = 0; n < BY_ACCOUNT.tries; n++) await identify(world, identity)
      await assert.rejects(identify(world, identity), { status: 429 })
      await site.person({ sub: 'u-2' })
    })

    it('that reports is made 10 times in an hour from a network, and no more; others still report', async (world) => {
      const near = callingFrom(world, '203.0.113.7')
      for (let n = 0; n < shareOfNetwork(REPORTS.all.tries); n++)
        await near.widget.report({ ...bug, title: `Bug ${n}` })
      await assert.rejects(near.widget.report(bug), { status: 429 })
      await assert.rejects(callingFrom(world, '203.0.113.99').widget.report(bug), { status: 429 })
      await callingFrom(world, '198.51.100.7').widget.report(bug)
    })
  },
  { ...LISTED, RATE_LIMITS: 'on' },
)

onEveryEngine('a token of the widget', (it) => {
  it('opens nothing any more where its site is not listed, and opens it again where it is', async (world) => {
    const list = (sites: string) => world.admin.settings.change({ changes: { WIDGET_SITES: sites } })
    await list(`${SITE}, ${OTHER_SITE}`)
    const [site, other] = [await siteOf(world), await siteOf(world, OTHER_SITE)]
    const [ada, mira] = [await site.person(), await other.person()]
    const statusOf = async (person: typeof ada) => (await person.call('GET', '/api/community/bugs?per_page=1')).status
    await list(OTHER_SITE)
    assert.equal((await ada.call('POST', '/api/community/bugs', bug)).status, 401)
    assert.equal((await mira.call('POST', '/api/community/bugs', bug)).status, 201)
    await list('')
    assert.equal((await mira.call('POST', '/api/community/bugs', bug)).status, 401)
    await list(SITE)
    assert.deepEqual([await statusOf(ada), await statusOf(mira)], [200, 200])
    assert.equal((await ada.call('POST', '/api/community/bugs', bug)).status, 201)
    assert.equal((await mira.call('POST', '/api/community/bugs', bug)).status, 401)
  })
})

onEveryEngine('without listed sites', (it) => {
  it('there is no widget: no report, no identity, and no key', async (world) => {
    const { anonymous, admin } = world
    await assert.rejects(anonymous.widget.report(bug), { status: 404 })
    await assert.rejects(anonymous.widget.identify({ identity: 'a.b.c' }), { status: 404 })
    await assert.rejects(admin.widget.createKey({ site: SITE }), { status: 400 })
  })

  it('names are made usernames: letters and digits, never a reserved one', async () => {
    const made = ['Ada Lovelace', 'Jürgen Ünlü', 'admin', '李', null, '--a--', 'A'.repeat(50)].map(usernameOf)
    assert.deepEqual(made, ['ada-lovelace', 'jurgen-unlu', 'member', 'member', 'member', 'member', 'a'.repeat(16)])
  })
})
