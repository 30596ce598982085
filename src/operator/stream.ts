// The stream of changes that goes on beside backups: a part for each half second in which something changed. A part has the pages of the
// database and the files that their rows name, so that a state after any part is whole. A backup says from which part on it goes on.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { required } from '../runtime/untyped.ts'
import type { Repository } from './repository.ts'
import { type Files, FilesOf, nameOfTime, type Snapshot } from './snapshot.ts'
import { type PageChanges, type Position, PositionOf, plainPosition, positionIn } from './wal-frames.ts'

const FOLDER = 'streams'
const DIGITS = 9
/** What a part with a checksum begins with; one from before there were checksums begins with a length, which is smaller. */
const MARK = Buffer.from('GHP2')
const HASH_BYTES = 32

const About = z.object({
  time: z.string(),
  pageBytes: z.int(),
  /** The length of the database in pages; 0 when no page changed. */
  pages: z.int(),
  numbers: z.array(z.int().positive()),
  files: FilesOf,
  /** Where the reading of the log ended. */
  position: PositionOf.optional(),
  /** Whether only the next part makes the state whole. */
  hasMore: z.boolean().optional(),
})

export interface Part {
  /** When it was read, ISO 8601. */
  time: string
  changed: PageChanges | undefined
  files: Files
  position?: Position | undefined
  /** Whether its state is whole only with the next part: the files that its rows name may be gone again by now. */
  hasMore?: boolean | undefined
}

/** The name of a part. */
export const keyOfPart = (stream: string, number: number, time: string): string =>
  `${FOLDER}/${stream}/${String(number).padStart(DIGITS, '0')}-${nameOfTime(time)}`

const lastOf = (key: string) => required(key.split('/').at(-1))
const numberIn = (key: string) => Number(lastOf(key).slice(0, DIGITS))
/** When a part was read, in the form of `nameOfTime`. */
export const timeIn = (key: string): string => lastOf(key).slice(DIGITS + 1)

/** The name is part of what is hashed, so that no part can take another's place. */
const hashOf = (key: string, content: Uint8Array) => createHash('sha256').update(key).update(content).digest()

/** A mark and a hash; four bytes with the length of the description, the description, then the pages in the order of their numbers. */
export async function writePart(repository: Repository, key: string, part: Part): Promise<void> {
  const { time, changed, files, hasMore } = part
  const numbers = [...(changed?.changed.keys() ?? [])].sort((one, other) => one - other)
  const position = part.position && plainPosition(part.position)
  const about = {
    ...{ time, pageBytes: changed?.pageBytes ?? 0, pages: changed?.pages ?? 0, numbers, files, position },
    ...(hasMore ? { hasMore } : {}),
  }
  const described = Buffer.from(JSON.stringify(about))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(described.length)
  const pages = numbers.map((page) => required(changed?.changed.get(page)))
  const content = Buffer.concat([length, described, ...pages])
  await repository.put(key, Buffer.concat([MARK, hashOf(key, content), content]))
}

function contentOf(key: string, bytes: Buffer): Buffer {
  if (!bytes.subarray(0, MARK.length).equals(MARK)) return bytes
  const start = MARK.length + HASH_BYTES
  const content = bytes.subarray(start)
  if (!hashOf(key, content).equals(bytes.subarray(MARK.length, start))) {
    throw new Error(`the backup is damaged: the part ${key} has other bytes`)
  }
  return content
}

function aboutIn(key: string, content: Buffer): { about: z.infer<typeof About>; start: number } {
  try {
    const start = 4 + content.readUInt32BE(0)
    return { about: About.parse(JSON.parse(content.subarray(4, start).toString())), start }
  } catch (cause) {
    throw new Error(`the backup is damaged: the part ${key} cannot be read`, { cause })
  }
}

export async function readPart(repository: Repository, key: string): Promise<Part> {
  const bytes = await repository.get(key)
  if (!bytes) throw new Error(`the stream of changes is not complete: ${key} is missing`)
  const content = contentOf(key, bytes)
  const { about, start } = aboutIn(key, content)
  const { time, pageBytes, pages, numbers, files, position, hasMore } = about
  const pageOf = (at: number) => content.subarray(start + at * pageBytes, start + (at + 1) * pageBytes)
  const changed = new Map(numbers.map((number, at) => [number, pageOf(at)]))
  return {
    ...{ time, files, changed: pages > 0 ? { pageBytes, pages, changed } : undefined },
    ...{ position: position && positionIn(position), hasMore },
  }
}

/** The parts that go on from a backup, in order; with `before` those up to that time. Throws when one between them is missing. */
export async function listParts(repository: Repository, { stream }: Snapshot, before?: string): Promise<string[]> {
  if (!stream) return []
  const { name, from } = stream
  const limit = before === undefined ? undefined : nameOfTime(new Date(before).toISOString())
  const all = (await repository.list(`${FOLDER}/${name}`)).filter((key) => numberIn(key) >= from)
  const beyond = limit === undefined ? -1 : all.findIndex((key) => timeIn(key) > limit)
  const keys = beyond < 0 ? all : all.slice(0, beyond)
  if (keys.some((key, at) => numberIn(key) !== from + at)) {
    throw new Error(`the stream of changes ${name} is not complete`)
  }
  return keys
}

/** The number of the part that follows another one. */
export const numberAfter = (key: string): number => numberIn(key) + 1

/** The pieces of the files of the parts that go on from a backup. */
export async function piecesOfStream(repository: Repository, snapshot: Snapshot): Promise<string[]> {
  const pieces: string[] = []
  for (const key of await listParts(repository, snapshot)) {
    const { files } = await readPart(repository, key)
    for (const file of [...files.artifacts, ...files.objects]) pieces.push(...file.pieces)
  }
  return pieces
}

/** Removes the parts that no backup goes on from: `kept` has the first one that is needed of each stream. Younger ones may get a backup. */
export async function removeParts(
  repository: Repository,
  kept: ReadonlyMap<string, number>,
  before: Date,
): Promise<void> {
  const limit = nameOfTime(before.toISOString())
  const all = await repository.list(FOLDER)
  const newest = new Map(all.map((key) => [key.split('/')[1], timeIn(key)]))
  for (const key of all) {
    const stream = required(key.split('/')[1])
    const first = kept.get(stream)
    const isNeeded = first === undefined ? required(newest.get(stream)) > limit : numberIn(key) >= first
    if (!isNeeded) await repository.remove(key)
  }
}
