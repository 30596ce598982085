// Brings the database to the newest shape at start. One process at a time does it; the others wait and find it done.
import { PostgresAdapter } from 'kysely'
import { Migrator } from 'kysely/migration'
import { listApplied, UNFINISHED_MOVE } from './applied.ts'
import { countedAs, refuseOlder, takeOver } from './before-first-release.ts'
import { gentle, isLocked } from './gentle-migrations.ts'
import { loadMigrations, migrationNames } from './migrations.ts'
import type { Db } from './schema.ts'

const ATTEMPTS = 5
/** After that it waits as any other. */
const GIVES_WAY_MILLISECONDS = 60_000

/**
 * Runs every migration the database has not seen: each in a transaction of its own where others may work in the database, all in one
 * otherwise. Two processes that create the same empty database can meet in the library's bookkeeping tables, which are made before its
 * lock is taken: the one that comes second tries again.
 */
export async function migrate(db: Db): Promise<void> {
  const applied = await takeOver(db, await listApplied(db))
  const isBeside = db.getExecutor().adapter instanceof PostgresAdapter && applied.length > 0
  const until = performance.now() + GIVES_WAY_MILLISECONDS
  const givesWay = () => isBeside && performance.now() < until
  const migrations = await loadMigrations()
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => (isBeside ? gentle(migrations, givesWay) : migrations) },
    allowUnorderedMigrations: true,
  })
  for (let attempt = 1; ; ) {
    const run = isBeside ? migrator.migrateUp() : migrator.migrateToLatest()
    const { error, results } = await run.catch((error: unknown) => ({ error, results: undefined }))
    if (error === undefined && isBeside && results?.length) continue
    if (error === undefined) return
    refuseNewer(await listApplied(db))
    if (!givesWay() || !isLocked(error)) {
      if (attempt === ATTEMPTS) throw error
      attempt++
    }
    await new Promise((resolve) => setTimeout(resolve, 50 * attempt))
  }
}

/** The migrations besides those that ran, in the order in which they run. Throws where a newer version ran some. */
export function missingBeside(applied: readonly string[]): string[] {
  refuseOlder(applied)
  const counted = countedAs(applied)
  refuseNewer(counted)
  return migrationNames().filter((name) => !counted.includes(name))
}

/** Throws where migrations ran that this version does not know. */
function refuseNewer(applied: readonly string[]): void {
  const known = migrationNames()
  const unknown = applied.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  if (unknown.includes(UNFINISHED_MOVE)) {
    throw new Error('a move or a restore into this database has not finished: repeat it, or remove the database')
  }
  throw new Error(
    `this database was made by a newer version of Guildhall (it has ${unknown.join(', ')}, which this version does not know); run that version, or restore from a backup that this one made`,
  )
}
