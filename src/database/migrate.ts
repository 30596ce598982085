// Brings the database to the newest shape at start. One process at a time does it; the others wait and find it done.
import { PostgresAdapter, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { detailsOf } from '../runtime/untyped.ts'
import { listApplied, UNFINISHED_MOVE } from './applied.ts'
import { countedAs, refuseOlder, takeOver } from './before-first-release.ts'
import { loadMigrations, migrationNames } from './migrations.ts'
import type { Db } from './schema.ts'

// Migrations beside a server that works: each gives way to its writes.

/**
 * How long a migration waits for a lock beside a server that works: less than the second after which PostgreSQL looks for a deadlock, so
 * that the migration gives way to a write, and not a write to it.
 */
const LOCK_MILLISECONDS = 200

/** The migrations, each of which stops where it would wait for long. */
const gentle = (migrations: Readonly<Record<string, Migration>>, givesWay: () => boolean): Record<string, Migration> =>
  Object.fromEntries(
    Object.entries(migrations).map(([name, { up }]) => [
      name,
      {
        async up(db) {
          if (givesWay()) await sql.raw(`set local lock_timeout = ${LOCK_MILLISECONDS}`).execute(db)
          await up(db)
        },
      },
    ]),
  )

/** Whether another transaction was in the way (PostgreSQL, Appendix A: lock_not_available, deadlock_detected). */
const isLocked = (error: unknown) => ['55P03', '40P01'].includes(String(detailsOf(error).code))

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
