// What accounts stored before it was counted is counted when the count comes.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import * as storedBytes from '../migrations/0017-stored-bytes.ts'
import { engineOf } from '../src/database/engine.ts'
import { workflowFile } from './library.ts'
import { onEveryEngine } from './world.ts'

const names = ['version', 'file', 'image'].flatMap((thing) => [`${thing}_added`, `${thing}_removed`])
const tables: Record<string, string> = {
  version: 'itemVersion',
  file: 'orgRunFile',
  image: 'orgImage',
  item: 'libraryItem',
  run: 'orgRun',
}

onEveryEngine('the count of stored bytes', (it) => {
  it('begins with what is there', async ({ alice, bob, db }) => {
    const { id } = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] }) })
    const { size } = await alice.library.publish({ kind: 'workflow', file: workflowFile() })
    await bob.orgRuns.add({ id, files: [new File(['x'.repeat(77)], 'a.md'), new File(['y'], 'b.md')] })
    const counted = () => db.selectFrom('storedBytes').select(['accountId', 'bytes']).orderBy('accountId').execute()
    const before = await counted()
    // As it was before: without the table and what keeps it.
    for (const name of [...names, 'item_removed', 'run_removed']) {
      const trigger = sql.raw(`"storedBytes_${name}"`)
      if (engineOf(db) === 'sqlite') await sql`drop trigger ${trigger}`.execute(db)
      else {
        await sql`drop trigger ${trigger} on ${sql.table(tables[name.split('_')[0]!]!)}`.execute(db)
        await sql`drop function ${trigger}()`.execute(db)
      }
    }
    await sql`drop table "storedBytes"`.execute(db)
    await storedBytes.up(db)
    assert.deepEqual(await counted(), before)
    const { id: bobId } = await bob.account()
    assert.equal(before.find(({ accountId }) => accountId === bobId)?.bytes, 78)
    assert.ok(before.some(({ bytes }) => bytes > size))
    await alice.orgs.delete({ id })
    assert.equal((await counted()).find(({ accountId }) => accountId === bobId)?.bytes, 0)
  })
})
