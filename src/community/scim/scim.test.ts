// Provisioning by SCIM 2.0 through the front door. Answers are read by the schemas of scimmy, and what PATCH makes is held against scim-patch.
import assert from 'node:assert/strict'
import { type ScimPatchOperation, scimPatch } from 'scim-patch'
import SCIMMY from 'scimmy'
import { AGENT, oauthClient } from '../../../test/oauth.ts'
import { assertError, type Body, GROUP, linked, providerOf, signsIn, USER } from '../../../test/scim-provider.ts'
import { verify } from '../../../test/visitor.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { blockByOperator } from '../admin/admin.ts'

const idOf = async (person: World['alice']) => (await person.account()).id
const mira = { userName: 'mira', emails: [{ value: 'mira@example.com', type: 'work', primary: true }] }

const on = { SCIM: 'on', SCIM_GROUPS: 'Moderators = moderator; Owners = admin; Staff = board inner' }

onEveryEngine(
  'provisioning by SCIM',
  (it) => {
    it('makes accounts, which scimmy reads as what they are (RFC 7643, 4.1)', async (world) => {
      const provider = await providerOf(world)
      const given = {
        ...mira,
        externalId: 'e-1',
        name: { givenName: 'Mira', familyName: 'Okafor' },
        displayName: 'Mira O',
      }
      const { status, body, headers } = await provider.add(given)
      assert.equal(status, 201)
      assert.equal(headers.get('content-type'), 'application/scim+json')
      assert.equal(headers.get('location'), body['meta'].location)
      const read = new SCIMMY.Schemas.User(body, 'out')
      assert.deepEqual([read.userName, read.active, read.externalId], ['mira', true, 'e-1'])
      assert.deepEqual((await provider.get(`/Users/${body['id']}`)).body, body)
      const { users } = await world.admin.admin.listUsers({ q: 'mira@example.com' })
      assert.deepEqual([users[0]?.id, users[0]?.role], [body['id'], 'member'])
      assertError(await provider.add({ ...mira, userName: 'MIRA' }), 409, 'uniqueness')
      assertError(await provider.add({ ...mira, userName: 'other' }), 409, 'uniqueness')
      assertError(await provider.add({ userName: 'no-address' }), 400, 'invalidValue')
      assertError(await provider.add({ emails: mira.emails }), 400, 'invalidValue')
      assertError(await provider.get('/Users/nobody'), 404)
    })

    it('gives a new account a name of one line, of at most 60 characters', async (world) => {
      const provider = await providerOf(world)
      const named = async (userName: string, displayName: string) => {
        const { status, body } = await provider.add({ userName, displayName })
        assert.deepEqual([status, body['displayName']], [201, displayName.trim()])
        const found = world.db.selectFrom('user').select('name').where('email', '=', userName)
        return (await found.executeTakeFirstOrThrow()).name
      }
      assert.equal(await named('lines@example.com', ' Mira\u202e\n\tOkafor '), 'Mira Okafor')
      assert.equal(await named('long@example.com', 'x'.repeat(60)), 'x'.repeat(60))
      assert.equal(await named('longer@example.com', `${'x'.repeat(59)} yz`), 'x'.repeat(59))
      assert.equal(await named('half@example.com', `${'x'.repeat(59)}\u{1f600}`), 'x'.repeat(59))
      assert.equal(await named('none@example.com', '\u202e'), null)
    })

    it('refuses text that no database keeps, wherever it is', async (world) => {
      const provider = await providerOf(world)
      const wild = ['a\0b', '\ud800']
      const { body: user } = await provider.add(mira)
      const { body: group } = await provider.addGroup('Good')
      for (const text of wild) {
        assertError(await provider.add({ ...mira, userName: text }), 400, 'invalidValue')
        assertError(await provider.add({ userName: 'x@example.com', externalId: text }), 400, 'invalidValue')
        assertError(await provider.add({ userName: 'x@example.com', displayName: text }), 400, 'invalidValue')
        assertError(await provider.add({ userName: 'x@example.com', name: { givenName: text } }), 400, 'invalidValue')
        assertError(await provider.addGroup(text), 400, 'invalidValue')
        assertError(await provider.addGroup('Another', [text]), 400, 'invalidValue')
        const change = { op: 'replace', path: 'externalId', value: text }
        for (const path of [`/Users/${user['id']}`, `/Groups/${group['id']}`])
          assertError(await provider.patch(path, change), 400, 'invalidValue')
      }
      for (const kind of ['Users', 'Groups']) {
        assert.ok([400, 404].includes((await provider.get(`/${kind}/%00`)).status))
        for (const name of ['id', 'externalId', kind === 'Users' ? 'userName' : 'displayName'])
          for (const value of ['\\u0000', '\\ud800', '\0']) {
            const { status, body } = await provider.get(
              `/${kind}?filter=${encodeURIComponent(`${name} eq "${value}"`)}`,
            )
            assert.ok(status === 400 || body['totalResults'] === 0, `${status} ${name} ${value}`)
          }
      }
    })

    it('takes over an account that is here, as it is', async (world) => {
      const provider = await providerOf(world)
      await verify(world, await world.alice.account())
      const before = (await world.alice.accounts.getSession())?.user
      const id = await linked(world, provider, world.alice, { displayName: 'Another Name' })
      assert.equal(id, await idOf(world.alice))
      const renamed = {
        op: 'replace',
        value: { displayName: 'X', 'name.givenName': 'Y', emails: [{ value: 'thief@example.com' }] },
      }
      assert.equal((await provider.patch(`/Users/${id}`, renamed)).status, 200)
      assert.deepEqual((await world.alice.accounts.getSession())?.user, before)
    })

    it('ends what was set up in an account that has no proof of its mailbox, before a group gives it anything', async (world) => {
      const provider = await providerOf(world)
      const { id } = await world.alice.account()
      const { access_token } = await oauthClient(world).signIn(world.alice, {
        clientId: AGENT,
        scope: 'community:read',
      })
      assert.equal((await provider.add({ userName: world.alice.email })).body['id'], id)
      assert.equal((await provider.addGroup('Owners', [id])).status, 201)
      assert.equal((await world.alice.accounts.getSession())?.user, undefined)
      const me = await world.app.fetch(
        new Request('http://localhost:3000/api/community/me', { headers: { Authorization: `Bearer ${access_token}` } }),
      )
      assert.equal(me.status, 401)
      const signIn = world.anonymous.accounts.signIn({ email: world.alice.email, password: 'alice has a password' })
      await assert.rejects(signIn, { status: 401 })
      const { users } = await world.admin.admin.listUsers({ q: world.alice.email })
      assert.deepEqual([users[0]?.id, users[0]?.role], [id, 'admin'])
    })

    it('finds by the usual filters and by others, in pages (RFC 7644, 3.4.2)', async (world) => {
      const provider = await providerOf(world)
      for (const n of [1, 2, 3, 4, 5]) {
        const name = { givenName: `Given ${n}`, familyName: n < 3 ? 'Low' : 'High' }
        const user = {
          userName: `User-${n}`,
          externalId: `e-${n}`,
          name,
          emails: [{ value: `user-${n}@example.com`, type: 'work' }],
        }
        assert.equal((await provider.add({ ...user, active: n !== 5 })).status, 201)
      }
      const found = async (filter: string) => {
        const { status, body } = await provider.get(`/Users?filter=${encodeURIComponent(filter)}`)
        assert.equal(status, 200, filter)
        assert.equal(body['totalResults'], body['Resources'].length)
        return body['Resources'].map((one: Body) => one['userName'].slice(-1)).join('')
      }
      for (const [filter, users] of [
        ['userName eq "user-2"', '2'],
        ['USERNAME EQ "USER-2"', '2'],
        [`${USER}:userName eq "user-2"`, '2'],
        ['externalId eq "e-3"', '3'],
        ['externalId eq "E-3"', ''],
        ['userName sw "user" and not (name.familyName eq "low")', '345'],
        ['emails[type eq "work" and value co "-4@"]', '4'],
        ['emails.value eq "user-1@example.com"', '1'],
        ['active eq false', '5'],
        ['title pr or userName ew "-1"', '1'],
        ['meta.created gt "2000-01-01T00:00:00Z"', '12345'],
        ['userName eq "none"', ''],
      ] as const) {
        assert.equal(await found(filter), users, filter)
      }
      const page = await provider.get('/Users?startIndex=2&count=2&attributes=userName')
      assert.deepEqual([page.body['totalResults'], page.body['startIndex'], page.body['itemsPerPage']], [5, 2, 2])
      assert.deepEqual(page.body['Resources'].map(Object.keys), Array(2).fill(['schemas', 'id', 'userName']))
      assert.deepEqual((await provider.get('/Users?count=0')).body['Resources'], [])
      assert.equal((await provider.get('/Users?startIndex=6')).body['Resources'].length, 0)
      for (const wrong of ['userName eq', 'userName zz "x"', '((', 'x'.repeat(1001)])
        assertError(await provider.get(`/Users?filter=${encodeURIComponent(wrong)}`), 400, 'invalidFilter')
      assertError(await provider.get('/Users?count=many'), 400, 'invalidValue')
    })

    it('changes by PUT and by PATCH, as scim-patch does (RFC 7644, 3.5)', async (world) => {
      const provider = await providerOf(world)
      const { body } = await provider.add({ ...mira, externalId: 'e-1', displayName: 'Mira' })
      const path = `/Users/${body['id']}`
      const rounds: ScimPatchOperation[][] = [
        [{ op: 'replace', path: 'displayName', value: 'Mira O.' }],
        [{ op: 'add', path: 'name.familyName', value: 'Okafor' }],
        [{ op: 'replace', value: { externalId: 'e-2', name: { givenName: 'Mira', familyName: 'O' } } }],
        [{ op: 'replace', path: 'emails[type eq "work"].value', value: 'm@example.com' }],
        [{ op: 'add', path: 'emails', value: [{ value: 'home@example.com', type: 'home' }] }],
        [{ op: 'remove', path: 'emails[type eq "home"]' }],
        [{ op: 'remove', path: 'displayName' }],
        [
          { op: 'Replace' as 'replace', path: 'userName', value: 'mira-2' },
          { op: 'add', path: 'displayName', value: 'M' },
        ],
      ]
      const kept = ({ meta: _, groups: __, ...rest }: Body) => rest
      for (const operations of rounds) {
        const before = (await provider.get(path)).body
        const expected = scimPatch(structuredClone(before) as never, structuredClone(operations)) as Body
        const { status, body: after } = await provider.patch(path, ...operations)
        assert.equal(status, 200, JSON.stringify(after))
        assert.deepEqual(kept(after), kept(expected), JSON.stringify(operations))
      }
      const replaced = await provider.ask('PUT', path, { schemas: [USER], ...mira, userName: 'mira-3' })
      assert.deepEqual(
        [replaced.status, replaced.body['displayName'], replaced.body['externalId']],
        [200, undefined, undefined],
      )
      await provider.add({ userName: 'second', emails: [{ value: 'second@example.com' }] })
      assertError(await provider.patch(path, { op: 'replace', path: 'userName', value: 'Second' }), 409, 'uniqueness')
      assertError(await provider.patch(path, { op: 'remove' }), 400, 'noTarget')
      assertError(await provider.patch(path, { op: 'replace', path: 'a b', value: 1 }), 400, 'invalidPath')
      assertError(await provider.ask('PATCH', path, { Operations: [] }), 400, 'invalidSyntax')
      assert.equal((await provider.patch(path, { op: 'add', path: '__proto__.polluted', value: 1 })).status, 200)
      assert.equal(({} as Body)['polluted'], undefined)
    })

    it('blocks with active: false, and lifts with true that block alone', async (world) => {
      const { alice, admin } = world
      const provider = await providerOf(world)
      const id = await linked(world, provider, alice)
      const active = (value: unknown) => provider.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value })
      const { access_token } = await oauthClient(world).signIn(alice, { clientId: AGENT, scope: 'community:read' })
      assert.equal((await active('False')).body['active'], false)
      assert.equal((await oauthClient(world).call(access_token)).status, 401)
      assert.equal(await signsIn(world, alice.email), false)
      await assert.rejects(admin.admin.block({ id, blocked: false }), { status: 409 }, 'its company says who is in it')
      assert.equal((await active(true)).body['active'], true)
      assert.equal(await signsIn(world, alice.email), true)
      await admin.admin.block({ id, blocked: true })
      assert.equal((await provider.get(`/Users/${id}`)).body['active'], true, 'the block of an admin is none of SCIM')
      assert.equal((await active(true)).status, 200)
      assert.equal(await signsIn(world, alice.email), false)
      await active(false)
      await active(true)
      assert.equal(await signsIn(world, alice.email), false, 'what an admin set stays')
      await active(false)
      await admin.admin.block({ id, blocked: false })
      assert.equal(await signsIn(world, alice.email), false, 'what the provider set stays')
      await admin.admin.block({ id, blocked: true })
      await active(true)
      assert.equal(await signsIn(world, alice.email), false, 'an admin blocked it meanwhile')
      await admin.admin.block({ id, blocked: false })
      assert.equal(await signsIn(world, alice.email), true)
    })

    it('deletes by blocking: what is written stays, and the same account comes back', async (world) => {
      const provider = await providerOf(world)
      const id = await linked(world, provider, world.alice)
      assert.equal((await provider.ask('DELETE', `/Users/${id}`)).status, 204)
      assertError(await provider.get(`/Users/${id}`), 404)
      assert.equal(await signsIn(world, world.alice.email), false)
      assert.equal(await linked(world, provider, world.alice), id)
      assert.equal(await signsIn(world, world.alice.email), true)
    })

    it('gives roles and boards by groups, only where they are mapped, and takes back what it gave', async (world) => {
      const { alice, bob, admin } = world
      await admin.boards.create({ slug: 'inner', name: 'Inner', readers: 'invited' })
      const provider = await providerOf(world)
      const [a, b] = [await linked(world, provider, alice), await linked(world, provider, bob)]
      const roleOf = async (person: World['alice']) =>
        (await world.db.selectFrom('user').select('role').where('email', '=', person.email).executeTakeFirstOrThrow())
          .role
      const inner = async () => (await admin.boards.members({ board: 'inner' })).items.map(({ id }) => id).toSorted()
      const group = await provider.addGroup('MODERATORS', [a])
      new SCIMMY.Schemas.Group(group.body, 'out')
      const path = `/Groups/${group.body['id']}`
      assert.equal(await roleOf(alice), 'moderator')
      assert.deepEqual((await provider.get(`/Users/${a}`)).body['groups'], [
        { value: group.body['id'], display: 'MODERATORS' },
      ])
      await provider.addGroup('Nothing mapped', [a, b])
      await provider.addGroup('Staff', [a, b])
      assert.deepEqual([await roleOf(bob), await inner()], ['member', [a, b].toSorted()])
      await provider.patch(path, { op: 'add', path: 'members', value: [{ value: b }] })
      assert.equal(await roleOf(bob), 'moderator')
      await provider.patch(path, { op: 'remove', path: `members[value eq "${a}"]` })
      assert.equal(await roleOf(alice), 'member')
      await provider.ask('PUT', path, { displayName: 'Renamed', members: [{ value: b }] })
      assert.equal(await roleOf(bob), 'member', 'no group of that name is mapped')
      await admin.admin.setRole({ id: b, role: 'moderator' })
      await provider.ask('DELETE', path)
      assert.equal(await roleOf(bob), 'moderator', 'an admin gave it')
      await provider.ask('DELETE', `/Users/${a}`)
      assert.deepEqual(await inner(), [b])
      assertError(await provider.addGroup('renamed 2', ['nobody']), 400, 'invalidValue')
      assertError(await provider.addGroup('staff'), 409, 'uniqueness')
      const found = await provider.get('/Groups?filter=displayName%20eq%20%22STAFF%22&excludedAttributes=members')
      assert.deepEqual(Object.keys(found.body['Resources'][0]), ['schemas', 'id', 'displayName', 'meta'])
    })

    it('never blocks or demotes the last admin', async (world) => {
      const { admin } = world
      const provider = await providerOf(world)
      const id = await linked(world, provider, admin)
      const disable = { op: 'replace', path: 'active', value: false }
      assertError(await provider.patch(`/Users/${id}`, disable), 409)
      assertError(await provider.ask('DELETE', `/Users/${id}`), 409)
      const other = await linked(world, provider, world.alice)
      const owners = await provider.addGroup('Owners', [other])
      assert.equal((await provider.patch(`/Users/${id}`, disable)).status, 200, 'there is another one now')
      assertError(await provider.ask('DELETE', `/Groups/${owners.body['id']}`), 409)
      assertError(await provider.ask('PUT', `/Groups/${owners.body['id']}`, { displayName: 'Owners' }), 409)
      const all = await Promise.all([1, 2, 3].map(() => provider.patch(`/Users/${other}`, disable)))
      assert.deepEqual(
        all.map(({ status }) => status),
        [409, 409, 409],
      )
    })

    it('keeps one account and all members, whatever is sent at once: ten races', async (world) => {
      const provider = await providerOf(world)
      const people = await Promise.all([1, 2, 3, 4].map((n) => provider.add({ userName: `p${n}@example.com` })))
      for (let round = 0; round < 10; round++) {
        const user = { userName: `race-${round}@example.com` }
        const made = await Promise.all([1, 2, 3].map(() => provider.add(user)))
        assert.deepEqual(made.map(({ status }) => status).toSorted(), [201, 409, 409])
        const { body } = await provider.addGroup(`Race ${round}`)
        const joins = people.map(({ body: { id } }) =>
          provider.patch(`/Groups/${body['id']}`, { op: 'add', path: 'members', value: [{ value: id }] }),
        )
        assert.deepEqual(
          (await Promise.all(joins)).map(({ status }) => status),
          [200, 200, 200, 200],
        )
        assert.equal((await provider.get(`/Groups/${body['id']}`)).body['members'].length, 4)
      }
    })

    it('describes itself, as RFC 7643 has it', async (world) => {
      const provider = await providerOf(world)
      const config = (await provider.get('/ServiceProviderConfig')).body
      assert.deepEqual(
        [config['patch'], config['filter'], config['bulk'].supported],
        [{ supported: true }, { supported: true, maxResults: 200 }, false],
      )
      const types = (await provider.get('/ResourceTypes')).body
      assert.deepEqual(
        types['Resources'].map((one: Body) => [one['id'], one['endpoint']]),
        [
          ['User', '/Users'],
          ['Group', '/Groups'],
        ],
      )
      assert.equal((await provider.get('/ResourceTypes/User')).body['schema'], USER)
      const schemas = (await provider.get('/Schemas')).body
      assert.deepEqual(
        schemas['Resources'].map((one: Body) => one['id']),
        [USER, GROUP],
      )
      assert.equal((await provider.get(`/Schemas/${USER}`)).body['name'], 'User')
      assertError(await provider.get('/Schemas/none'), 404)
      const theirs = [SCIMMY.Schemas.User, SCIMMY.Schemas.Group]
      for (const [index, { attributes }] of (schemas['Resources'] as { attributes: Body[] }[]).entries())
        for (const { name, type } of attributes) {
          const known = theirs[index]?.definition.attribute(name)
          assert.ok(known && 'type' in known && known.type === type, name)
        }
    })

    it('is for tokens that admins made, until they are revoked', async (world) => {
      const { admin, alice, moderator } = world
      const { id, token } = await admin.scimTokens.create({ name: 'Entra' })
      const provider = await providerOf(world, token)
      assert.equal((await provider.get('/Users')).status, 200)
      const { items, isOn } = await admin.scimTokens.list()
      assert.deepEqual([items.map(({ name }) => name), isOn], [['Entra'], true])
      assert.ok(items[0]?.lastUsedAt)
      assert.equal(JSON.stringify(items).includes(token), false)
      const stored = await world.db.selectFrom('scimToken').select('hash').executeTakeFirstOrThrow()
      assert.equal(stored.hash.includes(token), false)
      for (const other of [alice, moderator]) {
        await assert.rejects(other.scimTokens.create({ name: 'x' }), { status: 403 })
        await assert.rejects(other.scimTokens.list(), { status: 403 })
        await assert.rejects(other.scimTokens.revoke({ id }), { status: 403 })
      }
      const personal = await admin.personalTokens.create({ name: 'x', scopes: ['community:write'] })
      for (const wrong of ['', 'nothing', personal.token, `${token}x`]) {
        const refused = await (await providerOf(world, wrong)).get('/Users')
        assertError(refused, 401)
        assert.equal(refused.headers.get('www-authenticate'), 'Bearer')
      }
      await admin.scimTokens.revoke({ id })
      assertError(await provider.get('/Users'), 401)
      await assert.rejects(admin.scimTokens.revoke({ id }), { status: 404 })
      const many = await Promise.allSettled(Array.from({ length: 22 }, () => admin.scimTokens.create({ name: 'x' })))
      assert.equal(many.filter(({ status }) => status === 'fulfilled').length, 20)
    })
  },
  on,
)

onEveryEngine('without SCIM', (it) => {
  it('an admin lifts a block that a provider left behind, and a moderator only what is not of it', async (world) => {
    const { admin, moderator, alice } = world
    await admin.settings.change({ changes: { SCIM: 'on' } })
    const provider = await providerOf(world)
    const id = await linked(world, provider, alice)
    const active = async () => (await provider.get(`/Users/${id}`)).body['active']
    const disable = () => provider.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
    await disable()
    await assert.rejects(admin.admin.block({ id, blocked: false }), { status: 409, message: /only that can let it in/ })
    await admin.settings.change({ changes: { SCIM: 'off' } })
    await assert.rejects(moderator.admin.block({ id, blocked: false }), {
      status: 409,
      message: /an admin can let it in/,
    })
    assert.equal(await signsIn(world, alice.email), false)
    assert.equal((await admin.admin.block({ id, blocked: false })).blockedAt, null)
    assert.equal(await signsIn(world, alice.email), true)
    await admin.settings.change({ changes: { SCIM: 'on' } })
    assert.equal(await active(), true, 'the block is gone for the provider too')
    await disable()
    await moderator.admin.block({ id, blocked: true })
    await admin.settings.change({ changes: { SCIM: 'off' } })
    assert.notEqual((await moderator.admin.block({ id, blocked: false })).blockedAt, null)
    await moderator.admin.block({ id, blocked: true })
    const now = new Date(world.clock.now()).toISOString()
    const context = { ...world.dependencies, removeActing: async () => ({ webhooks: 0, keys: 0 }), now }
    await blockByOperator(context, { id, blocked: false, reason: null })
    assert.equal(await signsIn(world, alice.email), true, 'all blocks are lifted at once')
  })

  it('there is nothing at its paths', async (world) => {
    const provider = await providerOf(world)
    for (const path of ['/Users', '/Groups', '/ServiceProviderConfig', '/Schemas', '/Users/x'])
      assertError(await provider.get(path), 404)
    assert.equal((await world.admin.scimTokens.list()).isOn, false)
  })
})
