// A release that comes beside this one adds columns. PostgreSQL refuses prepared statements whose result would have another shape then
// ("cached plan must not change result type"): so statements name their columns, and a process goes on.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { onPostgres } from './databases.ts'
import { flows, settings } from './every-write.ts'
import { temporaryDirectory } from './temporary.ts'
import { makeWorld } from './world.ts'

onPostgres('a process whose tables get another column', (open) => {
  for (const [name, flow] of Object.entries(flows)) {
    it(`goes on with ${name}`, async (t) => {
      const blobs = { BLOB_URL: `file:${await temporaryDirectory(t)}` }
      const first = await open()
      await flow(await makeWorld(first, { ...blobs, ...settings }))
      await first.remove()
      // The next test gets the open connections, with the statements that were prepared.
      const database = await open()
      try {
        assert.equal(database.db, first.db)
        await sql`do $$ declare name text; begin
          for name in select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
            execute format('alter table %I add column "addedLater" text', name);
          end loop;
        end $$`.execute(database.db)
        await flow(await makeWorld(database, { ...blobs, ...settings }))
      } finally {
        await database.remove()
      }
    })
  }
})
