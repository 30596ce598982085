// What is to be looked at, while it is asked for again.
import assert from 'node:assert/strict'
import { linkTo, settings } from '../../../test/trackers.ts'
import { onEveryEngine } from '../../../test/world.ts'
import { askToLook, endWork, findWork, putOff } from './queries.ts'

onEveryEngine(
  'a piece of work of a link',
  (it) => {
    it('keeps what a delivery told while it was looked at', async (world) => {
      const { id: trackerId } = await linkTo(world, 'github')
      const { db } = world
      const [key, now] = ['issue:7', '2026-01-01T00:00:00.000Z']
      await askToLook(db, { trackerId, key, now, told: '{"what":"text"}' })
      const work = (await findWork(db, { trackerId, now }))!
      await askToLook(db, { trackerId, key, now, told: '{"what":"comment"}' })
      assert.equal(await endWork(db, work), 0)
      await putOff(db, { ...work, dueAt: now, attempts: 0 })
      const again = (await findWork(db, { trackerId, now }))!
      assert.deepEqual(JSON.parse(again.told), [{ what: 'text' }, { what: 'comment' }])
      assert.equal(await endWork(db, work), 0, 'it was asked for again')
      assert.equal(await endWork(db, again), 1)
    })
  },
  settings,
)
