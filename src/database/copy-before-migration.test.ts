// What a start keeps of a SQLite database before it migrates it.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { MADE_UP, withMadeUp } from '../../test/made-up-migrations.ts'
import { temporaryDirectory } from '../../test/temporary.ts'
import { copyBeforeMigration, copyPathOf } from './copy-before-migration.ts'
import { migrationNames } from './migrations.ts'
import { openDatabase } from './open.ts'

const known = migrationNames()

const start = async (path: string) => (await openDatabase(path)).db.destroy()

/** A database that lacks the last migration, with a mark in it. */
async function olderDatabase(t: TestContext): Promise<string> {
  const path = join(await temporaryDirectory(t), 'guildhall.db')
  await start(path)
  edit(path, 'create table mark (x)')
  withMadeUp(t)
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
    assert.deepEqual(namesIn(path), [...known, MADE_UP])
    const copy = copyPathOf(path)
    assert.deepEqual(namesIn(copy), known)
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
    withMadeUp(t)
    edit(path, `insert into kysely_migration values ('9999-later', 'now')`)
    await assert.rejects(start(path), /newer version/)
    assert.ok(!existsSync(copyPathOf(path)))
  })

  it('leaves the copy of another process that was first', async (t) => {
    const path = await olderDatabase(t)
    await copyBeforeMigration(path, known.length)
    edit(path, `insert into kysely_migration values ('${MADE_UP}', 'now')`)
    await copyBeforeMigration(path, known.length)
    assert.deepEqual(namesIn(copyPathOf(path)), known)
  })

  it('migrates nothing where no copy can be made', async (t) => {
    const path = await olderDatabase(t)
    await mkdir(join(copyPathOf(path), 'in-the-way'), { recursive: true })
    await assert.rejects(start(path), /could not be copied to .*before-migration before its migration/)
    assert.deepEqual(namesIn(path), known)
  })
})
