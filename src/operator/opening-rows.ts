// Opens the rows and the change log of the database that a URL names, on either engine.
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isPostgres } from '../runtime/addresses.ts'
import { openPostgresChangeLog } from './postgres-change-log.ts'
import { isUnfinishedPostgres, openPostgresRows, type ReadIsolation, writePostgresRows } from './postgres-rows.ts'
import type { ChangeLog, Rows, WritableRows } from './rows.ts'
import { openSqliteChangeLog } from './sqlite-change-log.ts'
import { openSqliteRows, writeSqliteRows } from './sqlite-rows.ts'

/** Whether an operator named an address, such as `s3:` or `mysql:`, and not a path. One letter before a colon is a drive of Windows. */
export const hasScheme = (place: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(place)

export async function openRows(url: string, reading: ReadIsolation): Promise<Rows> {
  return isPostgres(url) ? openPostgresRows(url, reading) : openSqliteRows(url, reading)
}

/** To be opened after it was migrated, or when it is unfinished. */
export async function openWritableRows(url: string): Promise<WritableRows> {
  return isPostgres(url) ? writePostgresRows(url) : writeSqliteRows(url)
}

/** Whether rows were written to it, and it was not finished. */
export async function isUnfinished(url: string): Promise<boolean> {
  if (isPostgres(url)) return isUnfinishedPostgres(url)
  if (!existsSync(url)) return false
  const db = new DatabaseSync(url, { readOnly: true })
  try {
    return db.prepare(`select 1 from sqlite_schema where name = 'unfinishedMove'`).get() !== undefined
  } finally {
    db.close()
  }
}

export async function openChangeLog(url: string): Promise<ChangeLog> {
  return isPostgres(url) ? openPostgresChangeLog(url) : openSqliteChangeLog(url)
}
