// `npm run admin -- migrate`: brings the database to the shape of this version, or says what that would do.
import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite'
import { pendingOf } from '../database/existing.ts'
import { openDatabase } from '../database/open.ts'
import { isPostgres } from '../runtime/addresses.ts'
import type { Call, Command } from './command.ts'
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
