// Links with other trackers, at the command line.
import assert from 'node:assert/strict'
import { runCommand } from '../../test/operator.ts'
import { github, link, settings } from '../../test/trackers.ts'
import { onEveryEngine } from '../../test/world.ts'
import { trackers } from './trackers.ts'

onEveryEngine(
  'npm run admin -- trackers',
  (it) => {
    it('lists them, pauses one and lets it go on, and asks there at once', async (world) => {
      const ask = (...parameters: string[]) => runCommand(trackers, world.dependencies.config, { parameters })
      assert.deepEqual((await ask()).results, [[]])
      const { id, settle } = await link(world)
      const bug = await world.alice.bugs.create({ title: 'It jams', description: 'Always', severity: 'low' })
      await settle()
      const listed = async () => ((await ask()).results as { [key: string]: unknown }[][])[0]?.[0]
      const first = await listed()
      assert.deepEqual(
        [first?.['id'], first?.['service'], first?.['name'], first?.['state'], first?.['paired'], first?.['failed']],
        [id, 'github', github.name, 'on', 1, 0],
      )
      assert.equal((await ask('pause')).code, 2)
      assert.equal((await ask('stop', github.name)).code, 2)
      assert.equal((await ask('pause', 'acme/none')).code, 1)
      assert.equal((await ask('pause', github.name.toUpperCase())).code, 0)
      assert.equal((await listed())?.['state'], 'paused')
      assert.equal((await ask('sync', github.name)).code, 1)
      assert.equal((await ask('resume', id)).code, 0)
      await world.db.updateTable('trackerWork').set({ attempts: 3, dueAt: '2999-01-01T00:00:00.000Z' }).execute()
      const work = { trackerId: id, key: `bug:${bug.id}`, told: '[]', times: 1, attempts: 2 }
      const dueAt = '2999-01-01T00:00:00.000Z'
      await world.db
        .insertInto('trackerWork')
        .values({ ...work, dueAt, createdAt: dueAt })
        .execute()
      await world.db.updateTable('tracker').set({ restUntil: dueAt, polledAt: dueAt }).execute()
      assert.equal((await listed())?.['failed'], 1)
      assert.equal((await ask('sync', github.name)).code, 0)
      const second = await listed()
      assert.deepEqual([second?.['restUntil'], String(second?.['polledAt']) < dueAt], [null, true])
      const [due] = await world.db.selectFrom('trackerWork').select('dueAt').execute()
      assert.ok(String(due?.dueAt) < dueAt)
      const { items } = await world.admin.admin.listAudit({})
      assert.equal(items.filter(({ action }) => action === 'tracker.update').length, 2)
    })
  },
  settings,
)
