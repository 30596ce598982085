// What follows the log of a SQLite database from another process: continuous backups. Each has a file beside the database, its mark, which it
// holds locked while it runs. A mark without a lock says that its backup is away and will go on from where it was.
import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { isBusy } from './errors.ts'

/** What the name of a mark begins with; eight digits follow, which tell where the backup goes. */
export const shippingMark = (path: string): string => `${path}-shipping-`

/** The marks beside a database. */
export function marksBeside(path: string): string[] {
  const start = basename(shippingMark(path))
  try {
    const names = readdirSync(dirname(path)).filter((name) => name.startsWith(start))
    return names
      .filter((name) => /^[0-9a-f]{8}$/.test(name.slice(start.length)))
      .map((name) => join(dirname(path), name))
  } catch {
    // The folder was removed while the server ran.
    return []
  }
}

/** Whether the backup of a mark runs. */
export const isFollowing = (mark: string): boolean => onMark(mark, 'select 1 from sqlite_schema', () => {}) === 'locked'

/** Removes a mark, unless its backup runs: returns whether it did. */
export const dismiss = (mark: string): boolean => onMark(mark, 'begin exclusive', () => rmSync(mark)) === 'done'

/** `failed` where it went at this moment, or belongs to another user: that must not stop the server. */
function onMark(mark: string, question: string, work: () => void): 'done' | 'locked' | 'failed' {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(`${pathToFileURL(mark)}?mode=rw`, { timeout: 0 })
    db.exec(question)
    work()
    return 'done'
  } catch (error) {
    return isBusy(error) ? 'locked' : 'failed'
  } finally {
    db?.close()
  }
}
