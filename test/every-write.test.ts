// Every write operation of the contracts, as a dry run and with an idempotency key: what is tried leaves no trace, and what is sent twice
// is made once. A new operation needs a call here.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEngines } from './databases.ts'
import { flows, settings } from './every-write.ts'
import { temporaryDirectory } from './temporary.ts'
import { repeatable, twice } from './twice.ts'
import { makeWorld } from './world.ts'

onEngines('every write', (open) => {
  const made = new Map<string, number>()
  for (const [name, flow] of Object.entries(flows)) {
    it(`of ${name} leaves no trace when it is tried, and is made once when it is sent twice`, async (t) => {
      const database = await open()
      const onCall = (operation: string, status: number) => {
        if (status < 300) made.set(operation, (made.get(operation) ?? 0) + 1)
      }
      try {
        const world = await makeWorld(
          database,
          { BLOB_URL: `file:${await temporaryDirectory(t)}`, ...settings },
          { wrap: (app, dependencies) => twice(app, dependencies, onCall) },
        )
        await flow(world)
      } finally {
        await database.remove()
      }
    })
  }

  it('is called here', () => {
    assert.deepEqual([...repeatable.keys()].filter((name) => !made.has(name)).sort(), [])
  })
})
