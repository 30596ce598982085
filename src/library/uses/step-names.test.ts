// What the steps of workflows are called, of those that were published before it was stored: read from the files once, for the search.
import assert from 'node:assert/strict'
import { workflowFile } from '../../../test/library.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { parseJson } from '../../runtime/untyped.ts'

const withStep = (name: string) => workflowFile({ nodes: [{ id: 'a', type: 'http.get', name, config: {} }] })

/** As a server left it that stored no names of steps, and whose backfill had ended. */
async function forgetSteps({ db, alice }: World, id: string): Promise<void> {
  for (const { version, contents } of await db.selectFrom('versionDetails').selectAll().execute()) {
    const { stepNames: _, ...rest } = parseJson<{ stepNames?: string[] }>(contents)
    await db
      .updateTable('versionDetails')
      .set({ contents: JSON.stringify(rest) })
      .where('version', '=', version)
      .execute()
  }
  await alice.library.update({ id, description: 'Written again' })
}

const found = async ({ anonymous }: World, q: string) =>
  (await anonymous.search.find({ q })).items.filter(({ type }) => type === 'workflow').map(({ id }) => id)

onEveryEngine('what steps are called', (it) => {
  it('is found of workflows from before it was stored, and of an earlier version that shows again', async (world) => {
    const { alice, app, dependencies } = world
    const { id } = await alice.library.publish({ kind: 'workflow', visibility: 'public', file: withStep('Zymurgy') })
    await alice.library.publishVersion({ id, file: withStep('Quokkas \\"stepNames\\":[') })
    await forgetSteps(world, id)
    assert.deepEqual(await found(world, 'quokkas'), [])
    await app.backfill()
    assert.deepEqual(await found(world, 'quokkas'), [id])
    assert.deepEqual(await found(world, 'zymurgy'), [])
    await alice.library.yank({ id, version: '1.0.1', yanked: true })
    assert.deepEqual(await found(world, 'zymurgy'), [id])
    dependencies.blobs.artifacts.path = async () => assert.fail('read again')
    await app.backfill()
  })

  it('of a broken file keeps no other back', async (world) => {
    const { alice, app, db } = world
    const one = await alice.library.publish({ kind: 'workflow', visibility: 'public', file: withStep('Numbats') })
    const two = await alice.library.publish({ kind: 'workflow', visibility: 'public', file: withStep('Bilbies') })
    await forgetSteps(world, one.id)
    await forgetSteps(world, two.id)
    for (const table of ['libraryItem', 'itemVersion'] as const) {
      const column = table === 'libraryItem' ? 'id' : 'itemId'
      await db
        .updateTable(table)
        .set({ sha256: 'ab'.repeat(32) })
        .where(column as 'id', '=', one.id)
        .execute()
    }
    await app.backfill()
    assert.deepEqual([await found(world, 'numbats'), await found(world, 'bilbies')], [[], [two.id]])
  })
})
