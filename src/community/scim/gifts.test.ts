// What groups give, and that it is taken back: in races, beside roles given by hand, and when the mapping changes.
import assert from 'node:assert/strict'
import { type Provider, providerOf } from '../../../test/scim-provider.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'

const GROUPS = 'Moderators = moderator; Owners = admin; Staff = board inner'

const roleOf = async ({ db }: World, id: string) =>
  (await db.selectFrom('user').select('role').where('id', '=', id).executeTakeFirstOrThrow()).role

const member = (id: string) => ({ op: 'add', path: 'members', value: [{ value: id }] })

/** A world whose groups give something, as an admin can change it. */
async function mapped(world: World): Promise<Provider> {
  await world.admin.settings.change({ changes: { SCIM: 'on', SCIM_GROUPS: GROUPS } })
  return providerOf(world)
}

onEveryEngine('the gift of a group', (it) => {
  it('is held by no one once its group is deleted, also by one who joins at that moment: ten races', async (world) => {
    const provider = await mapped(world)
    for (let round = 0; round < 10; round++) {
      const { body: user } = await provider.add({ userName: `race-${round}@example.com` })
      const { body: group } = await provider.addGroup('Owners')
      const path = `/Groups/${group['id']}`
      const [joined, deleted] = await Promise.all([
        provider.patch(path, member(user['id'])),
        provider.ask('DELETE', path),
      ])
      assert.equal(deleted.status, 204)
      assert.ok([200, 404].includes(joined.status), String(joined.status))
      assert.equal(await roleOf(world, user['id']), 'member', `round ${round}`)
      assert.deepEqual((await provider.get(`/Users/${user['id']}`)).body['groups'], [])
    }
  })
})
