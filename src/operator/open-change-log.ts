// Opens the change log of the engine that a database is on.
import { isPostgres } from '../database/address.ts'
import type { ChangeLog } from './change-log.ts'
import { openPostgresChangeLog } from './postgres-change-log.ts'
import { openSqliteChangeLog } from './sqlite-change-log.ts'

export async function openChangeLog(url: string): Promise<ChangeLog> {
  return isPostgres(url) ? openPostgresChangeLog(url) : openSqliteChangeLog(url)
}
