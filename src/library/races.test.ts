// Publishing and removing at the same moment: on PostgreSQL both change the same counts, and neither may wait for the other
// for good.
import assert from 'node:assert/strict'
import { workflowFile } from '../../test/library.ts'
import { onEveryEngine } from '../../test/world.ts'

const orgJson = JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] })

onEveryEngine('at the same moment', (it) => {
  it('items and orgs are published, changed and removed, and counted right', async ({ person, anonymous, db }) => {
    const people = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'].map(person)
    await Promise.all(people.map((one) => one.account()))
    const publishAndRemove = async (one: (typeof people)[number]) => {
      for (let round = 0; round < 8; round++) {
        const file = workflowFile()
        const { id } = await one.library.publish({ kind: 'workflow', visibility: 'public', tags: 'a,b', file })
        await one.library.update({ id, tags: ['b', 'c'] })
        await one.library.delete({ id })
      }
    }
    const uploadAndRemove = async (one: (typeof people)[number]) => {
      for (let round = 0; round < 8; round++) await one.orgs.delete({ id: (await one.orgs.create({ orgJson })).id })
    }
    await Promise.all(people.flatMap((one) => [publishAndRemove(one), uploadAndRemove(one)]))
    assert.equal((await anonymous.library.list({})).total, 0)
    for (const table of ['libraryItem', 'orgUpload', 'feedEntry', 'slug'] as const) {
      assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [], table)
    }
    const left = db
      .selectFrom('counter')
      .selectAll()
      .where('count', '!=', 0)
      .where('key', 'not like', 'account/%')
      .where('key', '!=', 'member/all/')
    assert.deepEqual(await left.execute(), [])
    assert.deepEqual(await db.selectFrom('itemCount').selectAll().where('count', '!=', 0).execute(), [])
  })
})
