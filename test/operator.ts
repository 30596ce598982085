// Runs a command of the operator in this process, and opens what it made as a world.
import { join } from 'node:path'
import type { Config } from '../src/config/config.ts'
import { openDatabase } from '../src/database/open.ts'
import { openPostgres } from '../src/database/postgres.ts'
import { openSqlite } from '../src/database/sqlite.ts'
import type { Command } from '../src/operator/command.ts'
import { isPostgres } from '../src/runtime/addresses.ts'
import { verifyEverything } from '../src/verify/verify.ts'
import { lendDatabase } from './postgres-databases.ts'
import { withFolder } from './server.ts'
import { makeWorld, type World } from './world.ts'

export interface Ran {
  code: number
  /** What a program reads with `--json`. */
  results: object[]
  complaints: string[]
}

/** Runs a command with these arguments, with the settings of a test. */
export async function runCommand(
  command: Command,
  settings: Partial<Config>,
  { parameters = [], ...options }: { parameters?: string[] } & Record<string, string | boolean | string[]> = {},
): Promise<Ran> {
  const [results, complaints]: [object[], string[]] = [[], []]
  const output = {
    say() {},
    progress() {},
    complain: (sentence: string) => void complaints.push(sentence),
    result: (value: object) => void results.push(value),
  }
  const given = options as Record<string, string | boolean>
  const code = await command.run({ settings: () => settings as Config, parameters, options: given, output })
  return { code, results, complaints }
}

/** What is wrong with everything that is stored. */
export async function complaintsAbout({ db, dependencies: { blobs } }: World): Promise<string[]> {
  const complaints: string[] = []
  await verifyEverything({ db, blobs }, (sentence) => complaints.push(sentence))
  return complaints
}

/** Guildhall on a database and stored files that a command wrote; a start accepts them. */
export async function withWorldOn(
  { databaseUrl: url, blobUrl }: Pick<Config, 'databaseUrl' | 'blobUrl'>,
  work: (world: World) => Promise<void>,
): Promise<void> {
  await openDatabase(url).then(({ db }) => db.destroy())
  const store = isPostgres(url) ? openPostgres(url, { connections: 4 }) : openSqlite(url, { synchronous: 'OFF' })
  try {
    await work(await makeWorld({ ...store, url }, { BLOB_URL: blobUrl }))
  } finally {
    await store.db.destroy()
  }
}

type Work = (place: Place) => Promise<void>

/** An empty place on the engine of the world, for as long as `work` takes. */
export const withSamePlace = ({ databaseUrl }: World, work: Work) => withPlace(isPostgres(databaseUrl), work)

/** An empty place on the engine that the world does not use, for as long as `work` takes. */
export const withOtherPlace = ({ databaseUrl }: World, work: Work) => withPlace(!isPostgres(databaseUrl), work)

async function withPlace(onPostgres: boolean, work: Work): Promise<void> {
  await withFolder(async (folder) => {
    const place = { dataDir: folder, blobUrl: `file:${join(folder, 'blobs')}` }
    if (!onPostgres) return work({ ...place, databaseUrl: join(folder, 'guildhall.db') })
    const { url, giveBack } = await lendDatabase()
    await work({ ...place, databaseUrl: url }).finally(giveBack)
  })
}

export type Place = Pick<Config, 'databaseUrl' | 'blobUrl' | 'dataDir'>
