// Commands work in a database that a server made and migrated: to open a SQLite file that is not there would make an empty one, and to
// migrate beside a server of an earlier version could take from it what it needs.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isPostgres } from '../runtime/addresses.ts'
import { isMissingTable, listApplied } from './applied.ts'
import { missingBeside } from './migrate.ts'
import { migrationNames } from './migrations.ts'

/** Throws where there is no database: a command would say of an empty one that all is well. */
export function refuseMissing(url: string): void {
  if (isPostgres(url) || existsSync(url)) return
  throw new Error(
    `there is no database at ${resolve(url)}: set DATA_DIR as the server has it; its first start makes one`,
  )
}

/** Throws where there is no database, or one that has not every migration of this version. */
export async function refuseUnready(url: string): Promise<void> {
  refuseMissing(url)
  const { length: missing } = await pendingOf(url)
  if (missing === migrationNames().length)
    throw new Error('the database is empty: the first start of a server fills it')
  if (missing > 0) {
    throw new Error(
      `the database is of an earlier version: a start runs the ${missing} missing migrations, and so does npm run admin -- migrate`,
    )
  }
}

/** The migrations that are missing; nothing is written, and a SQLite file that is not there is not made. */
export async function pendingOf(url: string): Promise<string[]> {
  return missingBeside(isPostgres(url) ? await inPostgres(url) : inSqlite(url))
}

async function inPostgres(url: string): Promise<string[]> {
  const { openPostgres } = await import('./postgres.ts')
  const { db } = openPostgres(url, { connections: 2, patient: true })
  return listApplied(db).finally(() => db.destroy())
}

function inSqlite(path: string): string[] {
  if (!existsSync(path)) return []
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  try {
    return db
      .prepare('select name from kysely_migration')
      .all()
      .map(({ name }) => String(name))
  } catch (error) {
    if (isMissingTable(error)) return []
    throw error
  } finally {
    db.close()
  }
}
