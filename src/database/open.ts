// Opens the database the configuration names, in its newest shape. A malformed one is refused before anything is written to it.
import { checkAtStart, type KeptLogOptions, malformed } from '@guildhall/durable-sqlite'
import { sql } from 'kysely'
import { isPostgres } from '../runtime/addresses.ts'
import type { DatabaseTime, KeptClock } from '../runtime/clock.ts'
import { outageOf } from '../runtime/outage.ts'
import { required, toError } from '../runtime/untyped.ts'
import { findNewest } from './clean-up-time.ts'
import type { Changes } from './commit-cache.ts'
import { NOW } from './listening-statements.ts'
import { migrationNames } from './migrations.ts'
import type { PoolState, ReplicasOptions } from './postgres.ts'
import type { ReplicasReport } from './replicas.ts'
import type { Db } from './schema.ts'
import { openSqlite } from './sqlite.ts'

export interface Store {
  db: Db
  /** What caches must know of commits. */
  changes: Changes
  /**
   * Resolves when caches know of every commit that was acknowledged before, by any process: awaited before a caller with credentials
   * is served. Missing if caches always know.
   */
  caughtUp?(): Promise<void> | undefined
  /** Resolves when other processes on the database know of this one: awaited before it serves. */
  join?(): Promise<void>
  /** Why writes are disabled until a restart; undefined while all is well, or if the engine handles it. */
  fault?: () => Error | undefined
  /** Waits, for a bounded time, until the database is known to be whole; rejects when it is malformed. */
  checked?(): Promise<void>
  /** Resolves when the database answers, and rejects within a second when it does not. */
  ping(): Promise<void>
  /** The connections for transactions on PostgreSQL, and the transactions that wait for one. */
  pool?(): PoolState
  /** Where streaming replicas take reads. */
  replicas?: ReplicasReport
  /** The clock of PostgreSQL. */
  time?: DatabaseTime
  /** Gives the memory of caches back that are not in use: up to 32 MB. */
  shrink?(): void
  /** Writes a little and rolls it back; rejects when there is no room. */
  probe?(): Promise<void>
}

export interface OpenOptions {
  /** Called once, when writes are disabled. */
  onBroken?: (error: Error) => void
  /** The most connections for transactions on PostgreSQL. */
  connections?: number
  /** Where reads of public data may go on PostgreSQL. */
  replicas?: ReplicasOptions | undefined
  /** For commands that read everything: no statement timeout on PostgreSQL. */
  patient?: boolean
  /** How the log of SQLite is kept for continuous backups that are away. */
  keptLog?: KeptLogOptions
  /** Keeps the time of the database from then on. */
  clock?: KeptClock
}

/**
 * `url` is `postgres://...` or the path of a SQLite file. Rejects when the database cannot be reached or migrated, or is
 * malformed.
 */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Store> {
  const store = await openMigrated(url, options)
  if (!options.clock) return store
  await keepTime(options.clock, store).catch(async (error: unknown) => {
    await store.db.destroy()
    throw error
  })
  return store
}

async function openMigrated(url: string, options: OpenOptions): Promise<Store> {
  if (isPostgres(url)) return openMigratedPostgres(url, options)
  try {
    return await openMigratedSqlite(url, options)
  } catch (error) {
    const outage = outageOf(error)
    if (outage?.kind === 'malformed' && !outage.reason.includes('restore')) throw malformed(url, outage.reason, error)
    throw error
  }
}

async function openMigratedSqlite(path: string, { onBroken, keptLog }: OpenOptions): Promise<Store> {
  const { db, changes, fault, condemn, protect, shrink } = openSqlite(path, { onBroken, keptLog })
  let checked: () => Promise<void>
  try {
    checked = checkAtStart(path, condemn)
    await migrateOnce(db, async (applied) =>
      (await import('./copy-before-migration.ts')).copyBeforeMigration(path, applied),
    )
    protect()
  } catch (error) {
    const outage = outageOf(error)
    if (outage?.kind === 'malformed') condemn(toError(error))
    await db.destroy()
    throw error
  }
  return {
    db,
    changes,
    fault,
    checked,
    shrink,
    ping: async () => void (await sql`select 1`.execute(db)),
    probe: () => probe(db),
  }
}

const PROBE_BYTES = 256 * 1024

/** A table that is created and dropped in one transaction uses pages of the file and of the WAL like any write. */
async function probe(db: Db): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`create table "roomProbe" (bytes blob)`.execute(transaction)
    await sql`insert into "roomProbe" values (zeroblob(${PROBE_BYTES}))`.execute(transaction)
    await sql`drop table "roomProbe"`.execute(transaction)
  })
}

async function openMigratedPostgres(
  url: string,
  { patient: isPatient = false, connections = 10, replicas }: OpenOptions,
): Promise<Store> {
  const { openPostgres, openPing } = await import('./postgres.ts')
  const { refuseWithoutSessions } = await import('./postgres-session.ts')
  await refuseWithoutSessions(url)
  const { db: patient } = openPostgres(url, { connections: 2, patient: true })
  await migrateOnce(patient).finally(() => patient.destroy())
  const standbys = replicas && { ...replicas, ...(await replicas.load()) }
  return { ...openPostgres(url, { connections, patient: isPatient, replicas: standbys }), ping: openPing(url) }
}

/**
 * Brings the database to the newest shape, if it does not have it. Most starts have nothing to migrate, and are spared loading the
 * migrations. `copy` is called before that for a database of an earlier version, with
 * the number of migrations that it has run.
 */
async function migrateOnce(db: Db, copy?: (applied: number) => Promise<void>): Promise<void> {
  const known = migrationNames()
  const isKnown = (names: readonly string[]) => names.every((name) => known.includes(name))
  let applied: readonly string[] = await listApplied(db)
  if (!isKnown(applied)) applied = await (await import('./before-first-release.ts')).takeOver(db, applied)
  if (isKnown(applied) && applied.length === known.length) return
  if (isKnown(applied) && applied.length > 0) await copy?.(applied.length)
  const { migrate } = await import('./migrate.ts')
  await migrate(db)
}

/** None too if the database cannot say: what is wrong is found by the migration. */
async function listApplied(db: Db): Promise<string[]> {
  const found = await sql<{ name: string }>`select name from kysely_migration`.execute(db).catch(() => ({ rows: [] }))
  return found.rows.map(({ name }) => name)
}

/** What is newer was written while a clock was wrong. */
const AHEAD_MILLISECONDS = 86_400_000

/** On PostgreSQL the clock has the time of the database from now on; on SQLite it does not go back below the newest row. */
export async function keepTime(clock: KeptClock, { db, time }: { db: Db; time?: DatabaseTime }): Promise<void> {
  if (time) {
    await measure(db, time)
    return clock.follow(time)
  }
  const newest = await findNewest(db, clock.now() + AHEAD_MILLISECONDS)
  if (newest !== undefined) clock.startAt(newest)
}

/** Asks twice: the first time a connection is made. */
async function measure(db: Db, time: DatabaseTime): Promise<void> {
  for (let turn = 0; turn < 2; turn++) {
    const sentAt = performance.now()
    const { rows } = await sql<{ now: number }>`select ${sql.raw(NOW)} as now`.execute(db)
    time.learn(required(rows[0]).now, { sentAt, receivedAt: performance.now() })
  }
}
