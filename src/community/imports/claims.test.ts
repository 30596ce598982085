// Taking over what was imported of a person, by the account at the external provider.
import assert from 'node:assert/strict'
import { CLIENT, type ExternalUser, startProvider } from '../../../test/external-provider.ts'
import { complaintsOf } from '../../../test/sound.ts'
import { newBrowser } from '../../../test/visitors.ts'
import { BASE_URL, onEveryEngine, type Person, type World } from '../../../test/world.ts'
import type { GivenRecord } from '../../formats/imports/record.ts'

const provider = await startProvider(`${BASE_URL}/sign-in/external`)
const SETTINGS = {
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  OIDC_IMPORTS: 'gitlab:acme/looms, github',
  OIDC_ID_CLAIM: 'account_id',
  RATE_LIMITS: 'off',
}

const at = (day: number) => `2024-03-${String(day).padStart(2, '0')}T10:00:00Z`
const records: GivenRecord[] = [
  { type: 'person', id: 'p1', accountId: '583231', username: 'Wanda', email: 'wanda@example.com' },
  { type: 'person', id: 'p2', username: 'nora' },
  { type: 'person', id: 'p3', accountId: '9', username: 'robot', isBot: true },
  { type: 'thing', id: 'i1', kind: 'bug', author: 'p1', title: 'It stops', text: 'At night', createdAt: at(1) },
  { type: 'thing', id: 'i2', kind: 'post', author: 'p2', title: 'Hello', text: 'All', createdAt: at(2) },
  { type: 'comment', id: 'c1', thing: 'i2', author: 'p1', text: 'Welcome', createdAt: at(3) },
  { type: 'comment', id: 'c2', thing: 'i1', author: 'p3', text: 'Beep', createdAt: at(3) },
  { type: 'vote', thing: 'i2', person: 'p1', value: 1 },
  { type: 'vote', thing: 'i1', person: 'p2', value: 1 },
]

/** Records as the import of a source has them: a recorded file of each source would say the same. */
async function bring(world: World, { source = 'gitlab', name = 'acme/looms', all = records } = {}) {
  const file = new File([all.map((one) => JSON.stringify(one)).join('\n')], 'records.jsonl')
  const { id } = await world.admin.imports.read({ source: 'guildhall', name, files: [file] })
  await world.db.updateTable('import').set({ source }).where('id', '=', id).execute()
  await world.admin.imports.start({ id })
  await world.app.imports()
  return id
}

let count = 0
/** A browser in which an account of the provider is signed in. */
async function enter(world: World, claims: ExternalUser): Promise<Person> {
  const user = `claimant-${++count}`
  provider.users[user] = { email: `${user}@example.com`, email_verified: true, ...claims }
  const browser = newBrowser(world)
  await signIn(browser, user)
  return browser
}

async function signIn(browser: Person, user: string) {
  const { url } = await browser.external.begin({})
  await browser.external.finish({ query: await provider.signIn(url, user) })
}

const offersOf = async (person: Person) =>
  (await person.importClaims.list()).items.map(({ source, username, by }) => [source, username, by])

/** What waits is moved, and placeholders go. */
async function merged({ app }: World) {
  await app.imports()
  await app.work()
}

async function takeOverAll(world: World, person: Person) {
  const { items } = await person.importClaims.list()
  for (const { id } of items) await person.importClaims.takeOver({ id })
  await merged(world)
  return items
}

onEveryEngine(
  'what was imported of a person',
  (it) => {
    it('becomes that of the account with the same id at the provider, and the placeholder goes', async (world) => {
      await bring(world)
      const wanda = await enter(world, { account_id: 583231, preferred_username: 'somebody-else' })
      assert.deepEqual(await offersOf(wanda), [['gitlab', 'Wanda', 'id']])
      const [bugBefore] = (await world.anonymous.bugs.list({})).items
      assert.equal(bugBefore?.authorUsername, 'Wanda', 'nothing is taken over without a yes')
      const [offer] = await takeOverAll(world, wanda)
      const me = (await wanda.accounts.getSession())!.user
      const [bug] = (await wanda.bugs.list({})).items
      const [post] = (await wanda.posts.list({})).items
      assert.deepEqual([bug?.authorId, post?.myVote, post?.score], [me.id, 1, 1])
      const { items } = await wanda.posts.comments({ id: post!.id })
      assert.equal(items[0]?.authorId, me.id)
      assert.equal(
        await world.db.selectFrom('user').select('id').where('id', '=', offer!.id).executeTakeFirst(),
        undefined,
      )
      assert.deepEqual(await offersOf(wanda), [])
      const acts = await world.db
        .selectFrom('audit')
        .select(['actorId', 'targetId'])
        .where('action', '=', 'import.take-over')
        .execute()
      assert.deepEqual(acts, [{ actorId: me.id, targetId: offer!.id }])
      await world.app.deliver()
      assert.deepEqual(await world.mails('wanda@example.com'), [])
      assert.deepEqual(await world.mails(`${offer!.id}@imported.invalid`), [])
      assert.deepEqual(await complaintsOf(world), [])
      await wanda.bugs.edit({ id: bug!.id, title: 'It stops at night' })
    })

    it('is not offered by a user name where the import has an id, as others can have that name now', async (world) => {
      await bring(world)
      const other = await enter(world, { account_id: 7, preferred_username: 'wanda' })
      assert.deepEqual(await offersOf(other), [])
      const [placeholder] = await world.db.selectFrom('user').select('id').where('username', '=', 'Wanda').execute()
      await assert.rejects(other.importClaims.takeOver({ id: placeholder!.id }), { status: 404 })
    })

    it('is offered by the user name where it has none, for ten minutes after the provider said it', async (world) => {
      await bring(world)
      const nora = await enter(world, { preferred_username: 'Nora' })
      const user = `claimant-${count}`
      assert.deepEqual(await offersOf(nora), [['gitlab', 'nora', 'username']])
      world.clock.pass(599)
      assert.equal((await offersOf(nora)).length, 1)
      world.clock.pass(1)
      assert.deepEqual(await offersOf(nora), [])
      provider.users[user] = { ...provider.users[user], preferred_username: 'nora-now' }
      await signIn(nora, user)
      assert.deepEqual(await offersOf(nora), [], 'the name of another one by now')
      provider.users[user] = { ...provider.users[user], preferred_username: 'nora' }
      await signIn(nora, user)
      await takeOverAll(world, nora)
      assert.equal((await nora.posts.list({})).items[0]?.authorId, (await nora.accounts.getSession())!.user.id)
    })

    it('is offered to accounts that connect the provider too, and of the imports that the setting names', async (world) => {
      const { alice } = world
      await alice.account()
      await bring(world, { name: 'acme/other' })
      const id = await bring(world, { source: 'github', name: 'acme/any' })
      provider.users['connected'] = { account_id: '583231' }
      const { url } = await alice.external.beginLink({ to: '/settings/security' })
      await alice.external.finish({ query: await provider.signIn(url, 'connected') })
      assert.deepEqual(await offersOf(alice), [['github', 'Wanda-2', 'id']])
      await takeOverAll(world, alice)
      await world.admin.imports.revert({ id })
      await world.app.imports()
      assert.ok(await alice.accounts.getSession(), 'an account whose address is not proven stays')
      assert.deepEqual(await complaintsOf(world), [])
    })

    it('counts a vote once, and taking the import back leaves the own one', async (world) => {
      const id = await bring(world)
      const wanda = await enter(world, { account_id: 583231 })
      const [post] = (await wanda.posts.list({})).items
      await wanda.posts.vote({ id: post!.id, value: 1 })
      await takeOverAll(world, wanda)
      const after = await wanda.posts.get({ id: post!.id })
      assert.deepEqual([after.score, after.myVote], [1, 1])
      const bug = await wanda.bugs.list({})
      assert.equal(bug.total, 1)
      await world.admin.imports.revert({ id })
      await world.app.imports()
      assert.deepEqual([(await wanda.bugs.list({})).total, (await wanda.posts.list({})).total], [0, 0])
      assert.ok(await wanda.accounts.getSession())
      assert.deepEqual(await complaintsOf(world), [])
      for (const table of ['importedPerson', 'imported', 'importClaim'] as const)
        assert.deepEqual(await world.db.selectFrom(table).select('scope').execute(), [], table)
    })

    it('is a later import of theirs', async (world) => {
      await bring(world)
      const wanda = await enter(world, { account_id: 583231 })
      await takeOverAll(world, wanda)
      const more: GivenRecord = {
        type: 'comment',
        id: 'c9',
        thing: 'i1',
        author: 'p1',
        text: 'Later',
        createdAt: at(9),
      }
      await bring(world, { all: [...records, more] })
      const [bug] = (await wanda.bugs.list({})).items
      const { items } = await wanda.bugs.comments({ id: bug!.id })
      const me = (await wanda.accounts.getSession())!.user.id
      assert.equal(items.find(({ body }) => body === 'Later')?.authorId, me)
    })

    it('needs a session of ten minutes, and an import that has ended', async (world) => {
      const id = await bring(world)
      const wanda = await enter(world, { account_id: 583231 })
      const [offer] = (await wanda.importClaims.list()).items
      await world.db.updateTable('import').set({ state: 'running' }).where('id', '=', id).execute()
      await assert.rejects(wanda.importClaims.takeOver({ id: offer!.id }), { status: 409 })
      await world.db.updateTable('import').set({ state: 'done' }).where('id', '=', id).execute()
      world.clock.pass(601)
      await assert.rejects(wanda.importClaims.takeOver({ id: offer!.id }), {
        status: 403,
        code: 'reauthentication_required',
      })
      await assert.rejects(world.anonymous.importClaims.takeOver({ id: offer!.id }), { status: 401 })
      await assert.rejects(world.anonymous.importClaims.list(), { status: 401 })
    })

    it('is never offered where its owner has entered, and where it is blocked or has a role', async (world) => {
      await bring(world)
      const wanda = await enter(world, { account_id: 583231 })
      const [offer] = (await wanda.importClaims.list()).items
      const change = (changes: object) =>
        world.db.updateTable('user').set(changes).where('id', '=', offer!.id).execute()
      for (const [claimed, free] of [
        [{ blockedAt: at(1) }, { blockedAt: null }],
        [{ role: 'moderator' }, { role: 'member' }],
        [{ deletionAt: at(1) }, { deletionAt: null }],
      ] as const) {
        await change(claimed)
        assert.deepEqual(await offersOf(wanda), [], JSON.stringify(claimed))
        await assert.rejects(wanda.importClaims.takeOver({ id: offer!.id }), { status: 404 })
        await change(free)
        assert.equal((await offersOf(wanda)).length, 1)
      }
      const owner = newBrowser(world)
      await owner.accounts.sendCode({ email: 'wanda@example.com' })
      await owner.accounts.signInWithCode({ email: 'wanda@example.com', code: await world.code('wanda@example.com') })
      assert.deepEqual(await offersOf(wanda), [])
      await assert.rejects(wanda.importClaims.takeOver({ id: offer!.id }), { status: 404 })
    })

    it('is taken over once, of ten at a time, and its mailed code enters nothing then', async (world) => {
      await bring(world)
      const people = await Promise.all(Array.from({ length: 2 }, () => enter(world, { account_id: 583231 })))
      const [offer] = (await people[0]!.importClaims.list()).items
      const owner = newBrowser(world)
      await owner.accounts.sendCode({ email: 'wanda@example.com' })
      const code = await world.code('wanda@example.com')
      const tries = Array.from({ length: 10 }, (_, n) => people[n % 2]!.importClaims.takeOver({ id: offer!.id }))
      const statuses = (await Promise.allSettled(tries)).map((one) =>
        one.status === 'fulfilled' ? 200 : (one.reason as { status: number }).status,
      )
      assert.deepEqual(statuses.filter((status) => status === 200).length, 1, statuses.join())
      assert.ok(
        statuses.every((status) => [200, 404, 409].includes(status)),
        statuses.join(),
      )
      await owner.accounts.signInWithCode({ email: 'wanda@example.com', code }).catch(() => undefined)
      assert.notEqual((await owner.accounts.getSession())?.user.id, offer!.id)
      await merged(world)
      assert.deepEqual(await complaintsOf(world), [])
    })

    it('has no owner where that account is erased before it is moved', async (world) => {
      await bring(world)
      const wanda = await enter(world, { account_id: 583231 })
      const [offer] = (await wanda.importClaims.list()).items
      await wanda.importClaims.takeOver({ id: offer!.id })
      const { id } = (await wanda.accounts.getSession())!.user
      await world.db
        .updateTable('importClaim')
        .set({ userId: '00000000-0000-7000-8000-000000000000' })
        .where('userId', '=', id)
        .execute()
      await merged(world)
      assert.equal((await world.anonymous.bugs.list({})).items[0]?.authorUsername ?? null, null)
      assert.deepEqual(await complaintsOf(world), [])
    })
  },
  SETTINGS,
)

onEveryEngine(
  'a provider of which no import has people',
  (it) => {
    it('offers nothing, and keeps no names of it', async (world) => {
      await bring(world)
      const wanda = await enter(world, { account_id: 583231, preferred_username: 'nora' })
      assert.deepEqual(await offersOf(wanda), [])
      const told = await world.db.selectFrom('externalIdentity').select(['sourceId', 'username', 'toldAt']).execute()
      assert.deepEqual(told, [{ sourceId: null, username: null, toldAt: null }])
    })
  },
  { ...SETTINGS, OIDC_IMPORTS: '' },
)
