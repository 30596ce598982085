// Moving to the other engine and another store: every row and file, while people write; and what is refused.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { live } from '../../test/living.ts'
import { openObjectStorage } from '../../test/object-storage.ts'
import { complaintsAbout, type Place, runCommand, withOtherPlace, withWorldOn } from '../../test/operator.ts'
import { onEveryEngine, type World } from '../../test/world.ts'
import { openDatabase } from '../database/open.ts'
import { isPostgres } from '../runtime/addresses.ts'
import { required } from '../runtime/untyped.ts'
import { clear, copyRows } from './copying.ts'
import { move } from './move.ts'
import { openRows, openWritableRows } from './opening-rows.ts'

const moveTo = (
  { dependencies: { config } }: World,
  { databaseUrl, blobUrl }: Place,
  finish: boolean,
  more: { all?: boolean } = {},
) => runCommand(move, config, { database: databaseUrl, blobs: blobUrl, finish, ...more })

/** All that is in the schema of a database, but for rows. */
async function schemaOf({ db, databaseUrl }: World): Promise<unknown> {
  const query = isPostgres(databaseUrl)
    ? sql`select relname as name, relkind::text as kind from pg_class where relnamespace = 'public'::regnamespace
        union select tgname, tgrelid::regclass::text from pg_trigger where not tgisinternal
        union select proname, 'function' from pg_proc where pronamespace = 'public'::regnamespace order by 1, 2`
    : sql`select name, sql from sqlite_schema order by name`
  return (await query.execute(db)).rows
}

const ids = ({ items }: { items: readonly { id: string }[] }) => items.map(({ id }) => id)

const openOn = async ({ databaseUrl }: Place) => openDatabase(databaseUrl).then(({ db }) => db.destroy())

onEveryEngine('npm run admin -- move, away from a database', (it) => {
  it('copies every row and file, and the community goes on there', async (world) => {
    const { bug, item } = await live(world)
    const before = await world.anonymous.bugs.get({ id: bug })
    const items = ids(await world.anonymous.library.list({}))
    await withOtherPlace(world, async (place) => {
      const { code, results } = await moveTo(world, place, true)
      assert.equal(code, 0)
      assert.deepEqual(Object.keys(results[0] ?? {}).sort(), ['all', 'files', 'finished', 'rows'])
      await withWorldOn(place, async (moved) => {
        assert.deepEqual(await complaintsAbout(moved), [])
        assert.deepEqual(await moved.anonymous.bugs.get({ id: bug }), before)
        const { items: found } = await moved.anonymous.search.find({ q: 'lamp' })
        assert.equal(found[0]?.id, bug)
        assert.equal((await moved.anonymous.library.get({ id: item })).id, item)
        const carol = moved.person('carol')
        const next = await carol.bugs.create({ title: 'Next', description: 'N', severity: 'low' })
        assert.ok(next.number > before.number, 'numbers go on')
        await carol.bugs.vote({ id: bug, value: 1 })
        assert.deepEqual(ids(await moved.anonymous.library.list({})), items)
        assert.deepEqual(await complaintsAbout(moved), [])
      })
    })
  })

  it('takes along what was written, changed and removed after the first run', async (world) => {
    const { bug, post } = await live(world)
    await withOtherPlace(world, async (place) => {
      assert.equal((await moveTo(world, place, false)).code, 0)
      await assert.rejects(openOn(place), /a move or a restore into this database has not finished: repeat it/)
      await world.alice.bugs.edit({ id: bug, title: 'Changed meanwhile' })
      await world.alice.posts.delete({ id: post })
      const late = await world.bob.features.create({ title: 'Late', description: 'Written meanwhile' })
      assert.equal((await moveTo(world, place, true)).code, 0)
      await withWorldOn(place, async (moved) => {
        assert.deepEqual(await complaintsAbout(moved), [])
        assert.equal((await moved.anonymous.bugs.get({ id: bug })).title, 'Changed meanwhile')
        assert.equal((await moved.anonymous.features.get({ id: late.id })).title, 'Late')
        await assert.rejects(moved.anonymous.posts.get({ id: post }))
      })
    })
  })

  it('compares in its final step what changed since the first one, and nothing else', async (world) => {
    const { bug, item } = await live(world)
    const schema = await schemaOf(world)
    await withOtherPlace(world, async (place) => {
      const first = await moveTo(world, place, false)
      const { rows: all } = first.results[0] as { rows: number }
      await world.alice.bugs.edit({ id: bug, title: 'Once' })
      await world.alice.bugs.edit({ id: bug, title: 'Twice' })
      // A name that must be unique passes from one row to another, which has a smaller key or a larger one.
      const { items: labels } = await world.anonymous.labels.list({})
      const label = required(labels.find(({ name }) => name === 'L'))
      await world.moderator.labels.update({ id: label.id, name: 'M' })
      const other = await world.moderator.labels.create({ name: 'L', color: '#000000' })
      const [second, third] = [await moveTo(world, place, false), await moveTo(world, place, false)]
      assert.ok((second.results[0] as { rows: number }).rows < all / 2)
      assert.deepEqual(third.results[0], { finished: false, rows: 0, all: false, files: { files: 0, bytes: 0 } })
      await world.bob.library.vote({ id: item, value: -1 })
      const last = (await moveTo(world, place, true)).results[0] as { rows: number; all: boolean }
      assert.ok(!last.all && last.rows > 0 && last.rows < 12, JSON.stringify(last))
      assert.deepEqual(await schemaOf(world), schema, 'what noted the changes is gone')
      await withWorldOn(place, async (moved) => {
        assert.deepEqual(await complaintsAbout(moved), [])
        assert.equal((await moved.anonymous.bugs.get({ id: bug })).title, 'Twice')
        const names = (await moved.anonymous.labels.list({})).items.map(({ id, name }) => [name, id])
        assert.deepEqual(names.sort(), [
          ['L', other.id],
          ['M', label.id],
        ])
      })
    })
  })

  it('compares everything when the source did not note all changes, and can be given up', async (world) => {
    const { bug } = await live(world)
    const schema = await schemaOf(world)
    await withOtherPlace(world, async (place) => {
      await moveTo(world, place, false)
      assert.notDeepEqual(await schemaOf(world), schema)
      assert.equal((await runCommand(move, world.dependencies.config, { cancel: true })).code, 0)
      assert.deepEqual(await schemaOf(world), schema)
      await world.alice.bugs.edit({ id: bug, title: 'Not noted' })
      const last = (await moveTo(world, place, true)).results[0] as { all: boolean }
      assert.equal(last.all, true)
      await withWorldOn(place, async (moved) => {
        assert.equal((await moved.anonymous.bugs.get({ id: bug })).title, 'Not noted')
      })
    })
  })

  it('goes on after it was interrupted', async (world) => {
    await live(world)
    await withOtherPlace(world, async (place) => {
      await openOn(place)
      const to = await openWritableRows(place.databaseUrl)
      const from = await openRows(world.databaseUrl, 'as committed')
      await clear(to)
      let tables = 0
      const interrupted = copyRows(from, to, {
        onRows: () => {
          if (++tables === 20) throw new Error('interrupted')
        },
      })
      await assert.rejects(interrupted, /interrupted/)
      await from.close()
      await to.close()
      assert.equal((await moveTo(world, place, true)).code, 0)
      await withWorldOn(place, async (moved) => assert.deepEqual(await complaintsAbout(moved), []))
    })
  })

  it('keeps every other process from writing while it compares', async (world) => {
    await live(world)
    const rows = await openRows(world.databaseUrl, 'locked')
    let isDone = false
    const writing = world.alice.bugs.create({ title: 'Waits', description: 'W', severity: 'low' }).then(
      () => (isDone = true),
      () => (isDone = true),
    )
    const [table] = await rows.tables()
    for (let turn = 0; turn < 5; turn++) await rows.page(table!, undefined, 1)
    assert.equal(isDone, false)
    await rows.close()
    await writing
  })

  it('refuses a place that is in use, the same place, and a call without one', async (world) => {
    await live(world)
    await withOtherPlace(world, async (place) => {
      await assert.rejects(moveTo(world, { ...place, databaseUrl: world.databaseUrl }, true), /is there already/)
      assert.equal((await runCommand(move, world.dependencies.config)).code, 2)
      for (const databaseUrl of ['s3://bucket', 'mysql://host/name', 'file:/var/lib/guildhall.db'])
        assert.equal((await moveTo(world, { ...place, databaseUrl }, true)).code, 2, databaseUrl)
      assert.equal((await moveTo(world, place, true)).code, 0)
      await assert.rejects(moveTo(world, place, true), /has accounts already/)
    })
  })

  it('finds with --all a row that something else changed in the copy, and mends it', async (world) => {
    const { bug } = await live(world)
    await withOtherPlace(world, async (place) => {
      await moveTo(world, place, false)
      const to = await openWritableRows(place.databaseUrl)
      const table = (await to.tables()).find(({ name }) => name === 'bug')
      const [row] = await to.page(table!, undefined, 1)
      const title = table!.columns.indexOf('title')
      await to.remove(table!, [row!])
      await to.insert(table!, [row!.with(title, 'Forged')])
      await to.close()
      assert.equal((await moveTo(world, place, true, { all: true })).code, 0)
      await withWorldOn(place, async ({ db }) => {
        const { rows } = await sql<{ title: string }>`select title from bug where id = ${bug}`.execute(db)
        assert.equal(rows[0]?.title, 'Broken lamp')
      })
    })
  })

  it('moves files to a bucket and back, and sends again what is damaged there', async (world) => {
    await live(world)
    const storage = await openObjectStorage()
    try {
      await withOtherPlace(world, async ({ dataDir }) => {
        const { config } = world.dependencies
        const bucket = storage.url(`${dataDir}/staging`)
        const { results } = await runCommand(move, config, { blobs: bucket, finish: true })
        const again = await runCommand(move, config, { blobs: bucket, finish: true })
        assert.equal((again.results[0] as { files: { files: number } }).files.files, 0, 'nothing is copied twice')
        const back = `file:${dataDir}/back`
        const returned = await runCommand(move, { ...config, blobUrl: bucket }, { blobs: back, finish: true })
        assert.deepEqual(returned.results, results)
      })
    } finally {
      await storage.close()
    }
  })
})
