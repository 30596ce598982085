// Taking over what was imported of a person, by who the account proved to be at a tracker.
import assert from 'node:assert/strict'
import { type Linked, link, settings } from '../../../test/trackers.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { required } from '../../runtime/untyped.ts'

async function begin(world: World): Promise<Linked> {
  const linked = await link(world)
  await world.alice.bugs.create({ title: 'The tray jams', description: 'Always', severity: 'low' })
  await linked.settle()
  linked.there.addUser('octocat')
  return linked
}

async function prove(person: Person, { there, settle }: Linked) {
  const { code } = await person.trackerAccounts.ask({ service: 'github', login: 'octocat' })
  there.act('octocat').comment(1, code)
  await settle()
}

onEveryEngine(
  'what was imported of a person whom an account proved to be at a tracker',
  (it) => {
    const bring = async (world: World, { source = 'github', name = 'acme/looms', accountId = '' } = {}) => {
      const at = '2024-03-01T10:00:00Z'
      const records = [
        { type: 'person', id: 'octocat', username: 'octocat', ...(accountId && { accountId }) },
        { type: 'thing', id: 'i1', kind: 'bug', author: 'octocat', title: 'It stops', text: 'At night', createdAt: at },
      ]
      const file = new File([records.map((one) => JSON.stringify(one)).join('\n')], 'records.jsonl')
      const { id } = await world.admin.imports.read({ source: 'guildhall', name, files: [file] })
      await world.db.updateTable('import').set({ source }).where('id', '=', id).execute()
      await world.admin.imports.start({ id })
      await world.app.imports()
    }
    const offers = async (person: Person) => (await person.importClaims.list()).items.map(({ by }) => by)

    it('is offered to who proved to be them, by the id of the place that is linked alone', async (world) => {
      const linked = await begin(world)
      const { id } = required(linked.there.users.get('octocat'))
      await bring(world, { accountId: String(id) })
      await bring(world, { accountId: String(id), name: 'acme/other' })
      assert.deepEqual(await offers(world.bob), [])
      await prove(world.bob, linked)
      assert.deepEqual(await offers(world.bob), ['id'])
      assert.deepEqual(await offers(world.moderator), [])
      const [offer] = (await world.bob.importClaims.list()).items
      await world.bob.importClaims.takeOver({ id: offer!.id })
      await world.app.imports()
      await world.app.work()
      const me = (await world.bob.accounts.getSession())!.user.id
      const own = (await world.anonymous.bugs.list({})).items.filter(({ authorId }) => authorId === me)
      assert.deepEqual(
        own.map(({ title }) => title),
        ['It stops'],
      )
    })

    it('is not offered by the name where the import has another id, nor for the same id at another host', async (world) => {
      const linked = await begin(world)
      await bring(world, { accountId: '999999' })
      await prove(world.bob, linked)
      assert.deepEqual(await offers(world.bob), [])
      const [{ personId } = { personId: '' }] = await world.db.selectFrom('trackerAccount').select('personId').execute()
      await world.db.updateTable('importedPerson').set({ accountId: personId }).execute()
      assert.deepEqual(await offers(world.bob), ['id'])
      await world.db.updateTable('trackerAccount').set({ host: 'github.example' }).execute()
      assert.deepEqual(await offers(world.bob), [])
      assert.deepEqual(
        (await world.bob.trackerAccounts.list()).items.map(({ login }) => login),
        [null],
      )
    })

    it('is not offered for what was proved before all sign-ins of the account ended', async (world) => {
      const linked = await begin(world)
      const { id } = required(linked.there.users.get('octocat'))
      await bring(world, { accountId: String(id) })
      await prove(world.bob, linked)
      assert.deepEqual(await offers(world.bob), ['id'])
      world.clock.pass(1)
      const { userId } = await world.db.selectFrom('trackerAccount').select('userId').executeTakeFirstOrThrow()
      const credentialsValidFrom = new Date(world.clock.now()).toISOString()
      await world.db.updateTable('trackerAccount').set({ createdAt: '2020-01-01T00:00:00.000Z' }).execute()
      await world.db
        .updateTable('session')
        .set({ createdAt: credentialsValidFrom })
        .where('userId', '=', userId)
        .execute()
      await world.db.updateTable('user').set({ credentialsValidFrom }).where('id', '=', userId).execute()
      assert.deepEqual(await offers(world.bob), [])
      assert.deepEqual((await world.admin.trackers.list()).items[0]?.people, [])
      await prove(world.moderator, linked)
      assert.deepEqual(await offers(world.moderator), ['id'])
      assert.deepEqual(await offers(world.bob), [])
      linked.there.addUser('hubot')
      const asked = await world.bob.trackerAccounts.ask({ service: 'github', login: 'hubot' })
      assert.equal(asked.login, 'hubot')
    })

    it('gives who has that login later no account that took the person over', async (world) => {
      const linked = await begin(world)
      await bring(world)
      await prove(world.bob, linked)
      const [offer] = (await world.bob.importClaims.list()).items
      await world.bob.importClaims.takeOver({ id: offer!.id })
      await world.app.imports()
      await world.app.work()
      await world.bob.trackerAccounts.remove({ service: 'github' })
      const { id } = (await world.bob.accounts.getSession())!.user
      // As an account that an external provider opens alone, with an address that it does not vouch for.
      await world.db
        .updateTable('user')
        .set({ passwordHash: null, emailVerifiedAt: null })
        .where('id', '=', id)
        .execute()
      linked.there.act('octocat').comment(1, 'Not Bob')
      await linked.settle()
      const bug = (await world.alice.bugs.list({})).items.find(({ title }) => title === 'The tray jams')
      const { items } = await world.alice.bugs.comments({ id: bug!.id })
      assert.deepEqual(
        items.map(({ body, authorId }) => [body, authorId === id]),
        [['Not Bob', false]],
      )
    })

    it('is offered by the name where the import has no id, for ten minutes', async (world) => {
      const linked = await begin(world)
      await bring(world)
      await prove(world.bob, linked)
      assert.deepEqual(await offers(world.bob), ['username'])
      world.clock.pass(600)
      assert.deepEqual(await offers(world.bob), [])
    })
  },
  settings,
)
