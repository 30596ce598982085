// `npm run admin -- migrate`: brings the database to the shape of this version, or says what that would do.
import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite'
import { listPending, migrationNames } from '../database/migrate.ts'
import { openDatabase } from '../database/open.ts'
import { openPostgres } from '../database/postgres.ts'
import type { Db } from '../database/schema.ts'
import { openSqlite } from '../database/sqlite.ts'
import type { Call, Command } from './command.ts'
import { isPostgres } from './opening-rows.ts'
import type { Output } from './output.ts'

export const migrate: Command = {
  usage: 'migrate [--dry-run]',
  summary: `brings the database to the shape of this version, as a start does. With --dry-run
it names the migrations that are missing; on SQLite it runs them on a copy, beside
the database, and says how long that took`,
  parameters: [0, 0],
  options: { 'dry-run': { type: 'boolean' } },
  run,
}

async function run({ settings, options, output }: Call): Promise<number> {
  const { databaseUrl } = settings()
  const pending = await pendingOf(databaseUrl)
  if (pending.length === 0) {
    output.result({ pending, applied: [] }, 'The database has every migration of this version.')
    return 0
  }
  if (!options['dry-run']) {
    output.progress(`Running ${pending.length} migrations`)
    const { db } = await openDatabase(databaseUrl, { patient: true })
    await db.destroy()
    output.result({ pending: [], applied: pending }, `Ran ${pending.join(', ')}.`)
    return 0
  }
  const tried = isPostgres(databaseUrl) || !existsSync(databaseUrl) ? undefined : await tryOnCopy(databaseUrl, output)
  const how = tried
    ? `On a copy of ${tried.bytes} bytes they took ${(tried.milliseconds / 1000).toFixed(1)} s.`
    : 'They were not tried.'
  output.result({ pending, applied: [], ...(tried && { tried }) }, `Missing: ${pending.join(', ')}. ${how}`)
  return 0
}

/** The migrations that are missing; nothing is written, and a SQLite file that is not there is not made. */
export async function pendingOf(url: string): Promise<string[]> {
  if (!isPostgres(url) && !existsSync(url)) return [...migrationNames]
  return withStore(
    isPostgres(url) ? openPostgres(url, { connections: 2, patient: true }) : openSqlite(url),
    listPending,
  )
}

async function withStore<Result>({ db }: { db: Db }, work: (db: Db) => Promise<Result>): Promise<Result> {
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/** Runs the migrations on a copy in the folder of the database, where there must be room for it. */
async function tryOnCopy(path: string, { progress }: Output) {
  const folder = await mkdtemp(join(dirname(path), 'migration-'))
  try {
    const copy = join(folder, 'guildhall.db')
    const source = new DatabaseSync(path, { readOnly: true })
    await copyDatabase(source, copy, {
      progress: ({ totalPages, remainingPages }) => progress('Copying the database', 1 - remainingPages / totalPages),
    }).finally(() => source.close())
    const { size: bytes } = await stat(copy)
    const began = performance.now()
    progress('Migrating the copy')
    const { db } = await openDatabase(copy)
    await db.destroy()
    return { bytes, milliseconds: Math.round(performance.now() - began) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
