// What a start keeps of a SQLite database before it migrates it.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { temporaryDirectory } from '../../test/temporary.ts'
import { copyBeforeMigration, copyPathOf } from './copy-before-migration.ts'
import { migrationNames } from './migrate.ts'
import { openDatabase } from './open.ts'

const LAST = '0077-external-identities'

const start = async (path: string) => (await openDatabase(path)).db.destroy()

/** A database as the version before the last migration of accounts left it, with a mark in it. */
async function olderDatabase(t: TestContext): Promise<string> {
  const path = join(await temporaryDirectory(t), 'guildhall.db')
  await start(path)
  edit(
    path,
    `delete from kysely_migration where name = '${LAST}'; drop table "externalIdentity"; create table mark (x)`,
  )
  return path
}

function edit(path: string, sql: string): void {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}

function namesIn(path: string): unknown[] {
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database.prepare('select name from kysely_migration').all()
  database.close()
  return rows.map(({ name }) => name)
}

describe('a start on a SQLite database of an earlier version', () => {
  it('keeps a copy of it, for the operator alone, and migrates', async (t) => {
    const path = await olderDatabase(t)
    await start(path)
    assert.ok(namesIn(path).includes(LAST))
    const copy = copyPathOf(path)
    assert.ok(!namesIn(copy).includes(LAST))
    assert.equal(namesIn(copy).length, migrationNames.length - 1)
    assert.equal((await stat(copy)).mode & 0o777, 0o600)
    assert.deepEqual(
      (await readdir(join(path, '..'))).filter((name) => name.endsWith('.part')),
      [],
    )
  })

  it('takes none of a new database, of one that has every migration, and of one of a newer version', async (t) => {
    const path = join(await temporaryDirectory(t), 'guildhall.db')
    await start(path)
    await start(path)
    edit(
      path,
      `delete from kysely_migration where name = '${LAST}'; update kysely_migration set name = '9999-later' where name = '0001-ground'`,
    )
    await assert.rejects(start(path), /newer version/)
    assert.ok(!existsSync(copyPathOf(path)))
  })

  it('leaves the copy of another process that was first', async (t) => {
    const path = await olderDatabase(t)
    const applied = migrationNames.length - 1
    await copyBeforeMigration(path, applied)
    edit(path, `insert into kysely_migration values ('${LAST}', 'now')`)
    await copyBeforeMigration(path, applied)
    assert.equal(namesIn(copyPathOf(path)).length, applied)
  })

  it('migrates nothing where no copy can be made', async (t) => {
    const path = await olderDatabase(t)
    await mkdir(join(copyPathOf(path), 'in-the-way'), { recursive: true })
    await assert.rejects(start(path), /could not be copied to .*before-migration before its migration/)
    assert.ok(!namesIn(path).includes(LAST))
  })
})
