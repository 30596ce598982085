// The stream of changes that goes on from a backup: a part for each second in which something changed. A part has the pages of the
// database and the files that are new, so that a state after any part is whole.
import { open } from 'node:fs/promises'
import { z } from 'zod'
import { required } from '../runtime/untyped.ts'
import type { Repository } from './repository.ts'
import { type Files, FilesOf, findOrigin, findSnapshot, nameOfTime, type Snapshot } from './snapshot.ts'
import type { Changed } from './wal-tail.ts'

const FOLDER = 'streams'
const DIGITS = 9

const About = z.object({
  time: z.string(),
  pageBytes: z.int(),
  /** The length of the database in pages; 0 when no page changed. */
  pages: z.int(),
  numbers: z.array(z.int()),
  files: FilesOf,
})

export interface Part {
  /** When it was read, ISO 8601. */
  time: string
  changed: Changed | undefined
  files: Files
}

const keyOfPart = (stream: string, number: number, time: string) =>
  `${FOLDER}/${stream}/${String(number).padStart(DIGITS, '0')}-${nameOfTime(time)}`

/** Four bytes with the length of the description, the description, then the pages in the order of their numbers. */
export async function writePart(
  repository: Repository,
  { stream, number }: { stream: string; number: number },
  { time, changed, files }: Part,
): Promise<void> {
  const numbers = [...(changed?.changed.keys() ?? [])].sort((one, other) => one - other)
  const about = { time, pageBytes: changed?.pageBytes ?? 0, pages: changed?.pages ?? 0, numbers, files }
  const described = Buffer.from(JSON.stringify(about))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(described.length)
  const pages = numbers.map((page) => required(changed?.changed.get(page)))
  await repository.put(keyOfPart(stream, number, time), Buffer.concat([length, described, ...pages]))
}

async function readPart(repository: Repository, key: string): Promise<Part> {
  const bytes = await repository.get(key)
  if (!bytes) throw new Error(`the stream of changes is not complete: ${key} is missing`)
  const length = bytes.readUInt32BE(0)
  const { time, pageBytes, pages, numbers, files } = About.parse(JSON.parse(bytes.subarray(4, 4 + length).toString()))
  const start = 4 + length
  const pageOf = (at: number) => bytes.subarray(start + at * pageBytes, start + (at + 1) * pageBytes)
  const changed = new Map(numbers.map((number, at) => [number, pageOf(at)]))
  return { time, files, changed: pages > 0 ? { pageBytes, pages, changed } : undefined }
}

export interface Stream {
  /** The files of all parts. */
  files: Files
  /** When the last part was read; undefined when there is none. */
  time: string | undefined
  /** Writes the pages of all parts to the database of the backup. */
  advance(path: string): Promise<void>
}

export interface State {
  snapshot: Snapshot
  /** The changes that follow it. */
  stream: Stream | undefined
}

/**
 * The newest state that was begun at or before a time: a backup beside a continuous one is younger than the backup that its stream
 * goes on from, and older than the last changes in it.
 */
export async function findState(repository: Repository, before?: string): Promise<State | undefined> {
  const newest = await findSnapshot(repository, before)
  if (!newest) return undefined
  const origin = await findOrigin(repository, before)
  const last = origin && (await keysOf(repository, origin, before)).at(-1)
  const snapshot = origin && last && timeIn(last) > nameOfTime(newest.time) ? origin : newest
  return { snapshot, stream: await readStream(repository, snapshot, before) }
}

/** The parts that follow a backup, up to a time; at least those that it needs. */
async function keysOf(repository: Repository, { stream }: Snapshot, before?: string): Promise<string[]> {
  if (!stream) return []
  const limit = before === undefined ? undefined : nameOfTime(new Date(before).toISOString())
  const all = await repository.list(`${FOLDER}/${stream.name}`)
  return all.filter((key, at) => at < stream.needed || limit === undefined || timeIn(key) <= limit)
}

/** The parts that follow a backup, up to a time; undefined when it has no stream. */
export async function readStream(
  repository: Repository,
  snapshot: Snapshot,
  before?: string,
): Promise<Stream | undefined> {
  const { stream } = snapshot
  if (!stream) return undefined
  const keys = await keysOf(repository, snapshot, before)
  if (keys.length < stream.needed || keys.some((key, at) => numberIn(key) !== at)) {
    throw new Error(`the stream of changes ${stream.name} is not complete`)
  }
  const files: Files = { artifacts: [], objects: [] }
  let time: string | undefined
  for (const key of keys) {
    const part = await readPart(repository, key)
    files.artifacts.push(...part.files.artifacts)
    files.objects.push(...part.files.objects)
    time = part.time
  }
  return { files, time, advance: (path) => writePages(repository, keys, path) }
}

const lastOf = (key: string) => required(key.split('/').at(-1))
const numberIn = (key: string) => Number(lastOf(key).slice(0, DIGITS))
const timeIn = (key: string) => lastOf(key).slice(DIGITS + 1)

async function writePages(repository: Repository, keys: readonly string[], path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    for (const key of keys) {
      const { changed } = await readPart(repository, key)
      if (!changed) continue
      const { pageBytes, pages } = changed
      for (const [number, page] of changed.changed) await file.write(page, 0, pageBytes, (number - 1) * pageBytes)
      await file.truncate(pages * pageBytes)
    }
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The pieces of the files of a stream. */
export async function piecesOfStream(repository: Repository, snapshot: Snapshot): Promise<string[]> {
  const stream = await readStream(repository, snapshot)
  return [...(stream?.files.artifacts ?? []), ...(stream?.files.objects ?? [])].flatMap(({ pieces }) => pieces)
}

/** Removes the streams that no backup has any more. */
export async function removeStreams(repository: Repository, kept: ReadonlySet<string>): Promise<void> {
  for (const key of await repository.list(FOLDER)) {
    if (!kept.has(required(key.split('/')[1]))) await repository.remove(key)
  }
}
