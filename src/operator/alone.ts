// Whether the server still runs on a database: what it writes after the final step of a move would be left behind.
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { OTHER_LISTENERS } from '../database/listening-statements.ts'
import { isPostgres } from '../runtime/addresses.ts'
import { outageOf } from '../runtime/outage.ts'
import { connect } from './postgres-rows.ts'

/** Throws when a server, or on SQLite any program, has the database open. */
export async function refuseOthers(url: string): Promise<void> {
  const isShared = isPostgres(url) ? await hasServers(url) : existsSync(url) && isOpen(url)
  if (isShared) throw new Error('another process still uses the database: stop the server, then repeat this')
}

async function hasServers(url: string): Promise<boolean> {
  const client = await connect(url)
  try {
    return (await client.query(OTHER_LISTENERS)).rows.length > 0
  } finally {
    await client.end()
  }
}

/** A connection in this mode needs the file for itself (SQLite, WAL without shared memory). */
function isOpen(path: string): boolean {
  const db = new DatabaseSync(path, { timeout: 1_000 })
  try {
    db.exec('pragma locking_mode = exclusive; begin immediate; rollback')
    return false
  } catch (error) {
    if (outageOf(error)?.kind === 'busy') return true
    throw error
  } finally {
    db.close()
  }
}
