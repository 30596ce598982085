// Opens the database the configuration names, in its newest shape.
import { migrate } from './migrate.ts'
import type { Db } from './schema.ts'
import { openSqlite } from './sqlite.ts'

export interface Store {
  db: Db
  /**
   * A number that changes with every commit of any process, in microseconds; undefined where the engine cannot tell as
   * cheaply. It is what keeps ready answers from being stale.
   */
  dataVersion: (() => number) | undefined
  /** Why nothing is written until the database is opened anew; undefined while all is well, or where the engine sees to it. */
  fault?: () => Error | undefined
}

/** `url` is `postgres://...` or the path of a SQLite file. Rejects when the database cannot be reached or migrated. */
export async function openDatabase(url: string): Promise<Store> {
  if (/^postgres(ql)?:/.test(url)) return openMigratedPostgres(url)
  const store = openSqlite(url)
  await migrate(store.db)
  return store
}

async function openMigratedPostgres(url: string): Promise<Store> {
  const { openPostgres } = await import('./postgres.ts')
  const patient = openPostgres(url, { connections: 2, patient: true })
  await migrate(patient).finally(() => patient.destroy())
  return { db: openPostgres(url), dataVersion: undefined }
}
