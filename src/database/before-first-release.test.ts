// Databases from before the first release: one that has exactly the last migrations of that time goes on, and any other is refused as it is.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { it as alone, describe } from 'node:test'
import { sql } from 'kysely'
import * as start from '../../migrations/0001-start.ts'
import { archiveOf, placeOf } from '../../test/archives.ts'
import { onEngines, type TestDatabase } from '../../test/databases.ts'
import { statementsOf } from '../../test/migration-phases.ts'
import { migrateUntil, onOldDatabase } from '../../test/old-databases.ts'
import { runCommand, withOtherPlace } from '../../test/operator.ts'
import { filesOf, whyNoRelease } from '../../test/previous-release.ts'
import { onEveryEngine } from '../../test/world.ts'
import { move } from '../operator/move.ts'
import { required } from '../runtime/untyped.ts'
import { listApplied } from './applied.ts'
import { countedAs, FIRST, LAST_COMMIT_BEFORE, migrationsBefore } from './before-first-release.ts'
import { copyPathOf } from './copy-before-migration.ts'
import { engineOf } from './engine.ts'
import { pendingOf } from './existing.ts'
import { migrationNames } from './migrations.ts'
import { openDatabase } from './open.ts'
import type { Db } from './schema.ts'
import { openSqlite } from './sqlite.ts'

/** Makes the database one that ran these migrations. */
async function setApplied(db: Db, names: readonly string[]): Promise<void> {
  await sql`delete from kysely_migration`.execute(db)
  const rows = sql.join(names.map((name) => sql`(${name}, '2026-11-29T00:00:00.000Z')`))
  await sql`insert into kysely_migration (name, timestamp) values ${rows}`.execute(db)
}

/** Those that came later. */
const later = migrationNames().slice(1)

/** The database before any migration; on SQLite it is another file. */
async function emptied(database: TestDatabase): Promise<TestDatabase> {
  const { db, url } = database
  if (engineOf(db) === 'sqlite') {
    const path = `${url}-oldest`
    return { ...database, ...openSqlite(path, { synchronous: 'OFF' }), url: path }
  }
  await db.schema.dropSchema('public').cascade().execute()
  await db.schema.createSchema('public').execute()
  return database
}

const openOn = async ({ url }: { url: string }) => openDatabase(url).then(({ db }) => db.destroy())

async function schemaOf(db: Db): Promise<unknown> {
  const query =
    engineOf(db) === 'sqlite'
      ? sql`select type, name, sql from sqlite_schema order by 1, 2`
      : sql`select relname, relkind, xmin::text from pg_class where relnamespace = 'public'::regnamespace order by 1`
  return (await query.execute(db)).rows
}

/** The rows are as they were, too, and there is no copy of them. */
async function isRefused({ db, url }: TestDatabase, names: readonly string[], said: RegExp): Promise<void> {
  await setApplied(db, names)
  const schema = await schemaOf(db)
  for (const open of [() => openOn({ url }), () => pendingOf(url)]) {
    await assert.rejects(open, (error: Error) => {
      assert.match(error.message, /^this database was made before Guildhall 0\.1\.0/)
      assert.match(error.message, said)
      assert.match(error.message, /npm run admin -- migrate .*commit 05aab039.* npm run admin -- move$/)
      return true
    })
  }
  assert.deepEqual(await listApplied(db), names.toSorted())
  assert.deepEqual(await schemaOf(db), schema)
  assert.equal(existsSync(copyPathOf(url)), false)
}

onEngines('a database from before the first release', (make) => {
  const it = (sentence: string, test: (database: TestDatabase) => Promise<void>) =>
    alone(sentence, async (t) => {
      const database = await make()
      t.after(() => database.remove())
      await test(database)
    })

  it('that has exactly its migrations goes on, and gets those that came later', async (made) => {
    const database = await emptied(made)
    await migrateUntil(database.db, required(later[0]))
    const { db, url } = database
    await setApplied(db, migrationsBefore)
    assert.deepEqual(await pendingOf(url), later)
    assert.equal((await listApplied(db)).length, migrationsBefore.length)
    await Promise.all([openOn(database), openOn(database), openOn(database)])
    assert.deepEqual(await listApplied(db), migrationNames())
    const schema = await schemaOf(db)
    await openOn(database)
    assert.deepEqual(await listApplied(db), migrationNames())
    assert.deepEqual(await schemaOf(db), schema)
    if (db !== made.db) await db.destroy()
  })

  it('that lacks one of them is refused', (database) =>
    isRefused(
      database,
      migrationsBefore.filter((name) => name !== '0096-pending-sizes'),
      /\(0096-pending-sizes is missing\)/,
    ))

  it('that lacks many of them is refused, in one sentence', (database) =>
    isRefused(
      database,
      migrationsBefore.slice(0, 100),
      /\([\w-]+ is missing, [\w-]+ is missing, [\w-]+ is missing, and 43 more\)/,
    ))

  it('that has one more is refused', (database) =>
    isRefused(database, [...migrationsBefore, '0248-of-a-fork'], /\(0248-of-a-fork is unknown\)/))

  it('into which rows are moved is still unfinished', async (database) => {
    await setApplied(database.db, [...migrationsBefore, 'unfinished-move'])
    await assert.rejects(openOn(database), /a move or a restore into this database has not finished: repeat it/)
    assert.equal((await listApplied(database.db)).length, migrationsBefore.length + 1)
  })
})

onEveryEngine('a database that has exactly the migrations from before the first release', (it) => {
  it('is moved to a new one, and has an archive, after a start on it', async (world) => {
    await setApplied(world.db, migrationsBefore)
    const said = new RegExp(`of an earlier version: a start runs the ${later.length} missing migrations`)
    await withOtherPlace(world, async (place) => {
      const { databaseUrl: database, blobUrl: blobs } = place
      const moving = runCommand(move, world.dependencies.config, { database, blobs, finish: true })
      await assert.rejects(moving, said)
      await assert.rejects(archiveOf(placeOf(world), join(place.dataDir, 'archive')), said)
    })
  })
})

alone('what counts as the first migration is all of them, and nothing less', () => {
  assert.deepEqual(countedAs(migrationsBefore), [FIRST])
  assert.deepEqual(countedAs([...migrationsBefore, 'x']), [FIRST, 'x'])
  assert.deepEqual(countedAs(migrationsBefore.slice(1)), migrationsBefore.slice(1))
  assert.deepEqual(countedAs([FIRST, 'x']), [FIRST, 'x'])
})

describe('the list of migrations from before the first release', { skip: whyNoRelease() ?? false }, () => {
  alone('is that of their last commit', () => {
    const files = filesOf(LAST_COMMIT_BEFORE).filter((path) => path.startsWith('migrations/'))
    assert.deepEqual(
      files.map((path) => basename(path, '.ts')),
      migrationsBefore,
    )
  })
})

/**
 * The schema that these statements make was compared with the one of the migrations from before, to the last column and index. A database
 * that has either is the same as long as they stay: a change of the schema is a migration of its own.
 */
const COMPARED = {
  sqlite: 'edff39bcef41500304034b681c386a6b1a8e940af1e455f07a2faed21f87782d',
  postgres: 'b3f111a40f83f532080b23890606214589cb598b651b60ec9e8477bf5b4f73ae',
}

onOldDatabase('the first migration makes what it made when it was compared', FIRST, async (db) => {
  const statements = (await statementsOf(start, db)).map((statement) => statement.replace(/\s+/g, ' ').trim())
  assert.equal(createHash('sha256').update(statements.join('\n')).digest('hex'), COMPARED[engineOf(db)])
})
