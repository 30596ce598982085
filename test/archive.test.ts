// The whole instance as one archive: it comes back as it was, on either engine, without what is secret.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { fill } from '../src/demo/demo.ts'
import { archiveOf, contentsOf, importArchive, placeOf } from './archives.ts'
import { flows, settings } from './every-write.ts'
import { complaintsAbout, withOtherPlace, withSamePlace, withWorldOn } from './operator.ts'
import { addressesOf, idsOf, reads } from './reads.ts'
import { withFolder } from './server.ts'
import { onEveryEngine, type World } from './world.ts'

/** Archives a world, imports that on the other engine, archives this, imports it on the first engine again, and so on once more. */
async function roundTrip(world: World, look: (other: World) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const [first, second, third] = ['first', 'second', 'third'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    await archiveOf(placeOf(world), first)
    await withOtherPlace(world, async (other) => {
      await importArchive(first, other)
      await archiveOf(other, second)
      await withSamePlace(world, async (again) => {
        await importArchive(second, again)
        await archiveOf(again, third)
      })
      const contents = await contentsOf(first)
      assert.deepEqual(await contentsOf(second), contents)
      assert.deepEqual(await contentsOf(third), contents)
      await withWorldOn(other, look)
    })
  })
}

onEveryEngine('the archive of the demo', (it) => {
  it('comes back as it was, and says the same to everybody', async (world) => {
    const { dependencies, clock } = world
    await fill(dependencies, { now: clock.now(), password: 'shown once, to one person' })
    await roundTrip(world, async (other) => {
      assert.deepEqual(await complaintsAbout(other), [])
      // Some of everything: those of one kind come one after the other.
      const ids = (await idsOf([world.anonymous])).filter((_, at) => at % 5 === 0)
      assert.ok(ids.length > 20, `${ids.length} ids`)
      let told = 0
      for (const read of reads)
        for (const address of addressesOf(read, ids)) {
          const [one, same] = [await world.anonymous.request(address), await other.anonymous.request(address)]
          assert.equal(same.status, one.status, address)
          const text = await one.text()
          if (one.status === 200) told++
          assert.equal(await same.text(), text, address)
        }
      assert.ok(told > 150, `${told} answers`)
    })
  })
})

onEveryEngine(
  'the archive of all that is done',
  (it) => {
    for (const [name, flow] of Object.entries(flows))
      it(`of ${name} comes back as it was`, async (world) => {
        await flow(world)
        await withFolder(async (folder) => {
          const [first, second] = [join(folder, 'first'), join(folder, 'second')]
          await archiveOf(placeOf(world), first)
          await withOtherPlace(world, async (other) => {
            await importArchive(first, other)
            await archiveOf(other, second)
            assert.deepEqual(await contentsOf(second), await contentsOf(first))
            await withWorldOn(other, async (there) => assert.deepEqual(await complaintsAbout(there), []))
          })
        })
      })
  },
  settings,
)
