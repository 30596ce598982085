// A backup: a list of the pieces that make the database, the stored files and the keys of one moment.
import { z } from 'zod'
import { jsonIn } from '../runtime/json.ts'
import { isObjectKey } from '../storage/blobs.ts'
import type { Repository } from './repository.ts'

const Hash = z.string().regex(/^[0-9a-f]{64}$/)
const Pieces = z.array(Hash)
/** Names become paths where they are restored: they are those that a store may have. */
const Key = z.string().refine(isObjectKey)
const Size = z.int().nonnegative()
/** The files of DATA_DIR that belong to a backup besides the database and stored files. */
export const KEY_FILES = ['signing-key.json'] as const

/** Stored files, each with its pieces. */
export const FilesOf = z.object({
  artifacts: z.array(z.object({ sha256: Hash, size: Size, pieces: Pieces })),
  objects: z.array(z.object({ key: Key, size: Size, modified: z.string(), contentType: z.string(), pieces: Pieces })),
})

export type Files = z.infer<typeof FilesOf>

const Snapshot = FilesOf.extend({
  /** When it was begun, ISO 8601. */
  time: z.string(),
  /** When its database was read, ISO 8601; missing in one from before this was noted. */
  readAt: z.string().optional(),
  /** The engine it was taken from; the database in it is always one of SQLite. */
  engine: z.enum(['sqlite', 'postgres']),
  migrations: z.array(z.string()),
  database: z.object({ size: Size, pieces: Pieces }),
  /** The files of DATA_DIR that are neither: keys. */
  files: z.array(z.object({ name: z.enum(KEY_FILES), pieces: Pieces })),
  /** The stream of changes that goes on from it, from which part on, and how many parts of the stream there are in its first whole state. */
  stream: z.object({ name: Key, from: z.int().default(0), needed: z.int() }).optional(),
})

export type Snapshot = z.infer<typeof Snapshot>

const FOLDER = 'snapshots'
/** A time as a name that sorts: `20261123t040506.789z`. */
export const nameOfTime = (time: string): string => time.toLowerCase().replaceAll(/[-:]/g, '')

/** The name of the backup that was begun then. */
export const nameIn = (time: string): string => `${FOLDER}/${nameOfTime(time)}`

export async function writeSnapshot(repository: Repository, snapshot: Snapshot): Promise<void> {
  await repository.put(nameIn(snapshot.time), Buffer.from(JSON.stringify(snapshot)))
}

/** The names of all backups, the oldest first. */
export const listSnapshots = (repository: Repository): Promise<string[]> => repository.list(FOLDER)

export async function readSnapshot(repository: Repository, name: string): Promise<Snapshot> {
  const bytes = await repository.get(name)
  if (!bytes) throw new Error(`there is no backup ${name}`)
  const { data } = Snapshot.safeParse(jsonIn(bytes.toString()))
  if (!data) throw new Error(`the backup ${name} names what no backup contains, so nothing of it is restored`)
  return data
}

/** The newest backup; with `before` the newest that was begun at or before that time. */
export async function findSnapshot(repository: Repository, before?: string): Promise<Snapshot | undefined> {
  const name = (await listUntil(repository, before)).at(-1)
  return name === undefined ? undefined : readSnapshot(repository, name)
}

/** The newest backup that a continuous one goes on from. */
export async function findOrigin(repository: Repository, before?: string): Promise<Snapshot | undefined> {
  for (const name of (await listUntil(repository, before)).reverse()) {
    const snapshot = await readSnapshot(repository, name)
    if (snapshot.stream) return snapshot
  }
  return undefined
}

async function listUntil(repository: Repository, before: string | undefined): Promise<string[]> {
  const limit = before === undefined ? undefined : nameIn(new Date(before).toISOString())
  return (await listSnapshots(repository)).filter((name) => limit === undefined || name <= limit)
}

/** Every piece that a backup needs. */
export function* piecesOf({ database, artifacts, objects, files }: Snapshot): Generator<string> {
  yield* database.pieces
  for (const { pieces } of [...artifacts, ...objects, ...files]) yield* pieces
}
