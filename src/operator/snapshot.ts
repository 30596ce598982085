// A backup: a list of the pieces that make the database, the stored files and the keys of one moment.
import { z } from 'zod'
import type { Repository } from './repository.ts'

const Pieces = z.array(z.string().regex(/^[0-9a-f]{64}$/))

/** Stored files, each with its pieces. */
export const FilesOf = z.object({
  artifacts: z.array(z.object({ sha256: z.string(), size: z.int(), pieces: Pieces })),
  objects: z.array(
    z.object({ key: z.string(), size: z.int(), modified: z.string(), contentType: z.string(), pieces: Pieces }),
  ),
})

export type Files = z.infer<typeof FilesOf>

const Snapshot = FilesOf.extend({
  /** When it was begun, ISO 8601. */
  time: z.string(),
  /** The engine it was taken from; the database in it is always one of SQLite. */
  engine: z.enum(['sqlite', 'postgres']),
  migrations: z.array(z.string()),
  database: z.object({ size: z.int(), pieces: Pieces }),
  /** The files of DATA_DIR that are neither: keys. */
  files: z.array(z.object({ name: z.string(), pieces: Pieces })),
  /** The stream of changes that goes on from it, and how many parts of it one whole state needs. */
  stream: z.object({ name: z.string(), needed: z.int() }).optional(),
})

export type Snapshot = z.infer<typeof Snapshot>

const FOLDER = 'snapshots'
/** A time as a name that sorts: `20261123t040506.789z`. */
export const nameOfTime = (time: string): string => time.toLowerCase().replaceAll(/[-:]/g, '')

export async function writeSnapshot(repository: Repository, snapshot: Snapshot): Promise<void> {
  await repository.put(`${FOLDER}/${nameOfTime(snapshot.time)}`, Buffer.from(JSON.stringify(snapshot)))
}

/** The names of all backups, the oldest first. */
export const listSnapshots = (repository: Repository): Promise<string[]> => repository.list(FOLDER)

export async function readSnapshot(repository: Repository, name: string): Promise<Snapshot> {
  const bytes = await repository.get(name)
  if (!bytes) throw new Error(`there is no backup ${name}`)
  return Snapshot.parse(JSON.parse(bytes.toString()))
}

/** The newest backup; with `before` the newest that was begun at or before that time. */
export async function findSnapshot(repository: Repository, before?: string): Promise<Snapshot | undefined> {
  const names = await listSnapshots(repository)
  const limit = before === undefined ? undefined : `${FOLDER}/${nameOfTime(new Date(before).toISOString())}`
  const name = names.filter((one) => limit === undefined || one <= limit).at(-1)
  return name === undefined ? undefined : readSnapshot(repository, name)
}

/** Every piece that a backup needs. */
export function* piecesOf({ database, artifacts, objects, files }: Snapshot): Generator<string> {
  yield* database.pieces
  for (const { pieces } of [...artifacts, ...objects, ...files]) yield* pieces
}
