// Opens the database the configuration names, in its newest shape. A malformed one is refused before anything is written to it.
import { sql } from 'kysely'
import { outageOf } from '../runtime/outage.ts'
import { toError } from '../runtime/untyped.ts'
import { checkAtStart, malformed } from './check.ts'
import { migrate } from './migrate.ts'
import type { Db } from './schema.ts'
import { openSqlite } from './sqlite.ts'

export interface Store {
  db: Db
  /**
   * A number that changes with every commit of any process, in microseconds; undefined if the engine has no cheap way to get it. It
   * invalidates cached responses.
   */
  dataVersion: (() => number) | undefined
  /** Why writes are disabled until a restart; undefined while all is well, or if the engine handles it. */
  fault?: () => Error | undefined
  /** Waits, for a bounded time, until the database is known to be whole; rejects when it is malformed. */
  checked?(): Promise<void>
  /** Resolves when the database answers, and rejects within a second when it does not. */
  ping(): Promise<void>
  /** Writes a little and rolls it back; rejects when there is no room. */
  probe?(): Promise<void>
}

export interface OpenOptions {
  /** Called once, when writes are disabled. */
  onBroken?: (error: Error) => void
  /** For commands that read everything: no statement timeout on PostgreSQL. */
  patient?: boolean
}

/**
 * `url` is `postgres://...` or the path of a SQLite file. Rejects when the database cannot be reached or migrated, or is
 * malformed.
 */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Store> {
  if (/^postgres(ql)?:/.test(url)) return openMigratedPostgres(url, options)
  try {
    return await openMigratedSqlite(url, options)
  } catch (error) {
    const outage = outageOf(error)
    if (outage?.kind === 'malformed' && !outage.reason.includes('restore')) throw malformed(url, outage.reason, error)
    throw error
  }
}

async function openMigratedSqlite(path: string, { onBroken }: OpenOptions): Promise<Store> {
  const { db, dataVersion, fault, condemn } = openSqlite(path, { onBroken })
  let checked: () => Promise<void>
  try {
    checked = checkAtStart(path, condemn)
    await migrate(db)
  } catch (error) {
    const outage = outageOf(error)
    if (outage?.kind === 'malformed') condemn(toError(error))
    await db.destroy()
    throw error
  }
  return {
    db,
    dataVersion,
    fault,
    checked,
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

async function openMigratedPostgres(url: string, { patient: isPatient = false }: OpenOptions): Promise<Store> {
  const { openPostgres, openPing } = await import('./postgres.ts')
  const patient = openPostgres(url, { connections: 2, patient: true })
  await migrate(patient).finally(() => patient.destroy())
  const ping = openPing(url)
  return { db: openPostgres(url, { patient: isPatient }), dataVersion: undefined, ping }
}
