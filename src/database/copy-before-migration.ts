// The copy of a SQLite database that is taken before its migrations run: the way back to the version before. The newest one is kept.
import { rm, writeFile } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import { renameDurably } from '../runtime/durable.ts'
import { newId } from '../runtime/ids.ts'
import { reasonOf } from '../runtime/outage.ts'

/** Where the copy of a database file is. */
export const copyPathOf = (path: string): string => `${path}.before-migration`

/**
 * Copies the database at `path`, which has run `applied` migrations. Where another process has begun to migrate it by then, the copy of
 * that process stays. Rejects where there is no room: then nothing is migrated.
 */
export async function copyBeforeMigration(path: string, applied: number): Promise<void> {
  const part = `${copyPathOf(path)}-${newId()}.part`
  try {
    await writeFile(part, '', { mode: 0o600 })
    const source = new DatabaseSync(path, { readOnly: true })
    await backup(source, part).finally(() => source.close())
    if (countApplied(part) === applied) await renameDurably(part, copyPathOf(path))
  } catch (cause) {
    const reason = reasonOf(cause)
    throw new Error(`the database could not be copied to ${copyPathOf(path)} before its migration: ${reason}`, {
      cause,
    })
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) await rm(part + end, { force: true })
  }
}

function countApplied(path: string): unknown {
  const copy = new DatabaseSync(path)
  try {
    return copy.prepare('select count(*) as count from kysely_migration').get()?.['count']
  } finally {
    copy.close()
  }
}
