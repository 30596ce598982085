// The states that backups can restore: that of each backup, and those after the parts of a stream that goes on from one.
import { open } from 'node:fs/promises'
import type { Repository } from './repository.ts'
import { type Files, listSnapshots, nameIn, nameOfTime, readSnapshot, type Snapshot } from './snapshot.ts'
import { listParts, readPart, timeIn } from './stream.ts'

export interface Stream {
  /** The files of all parts. */
  files: Files
  /** Writes the pages of all parts to the database of the backup. */
  advance(path: string): Promise<void>
}

export interface State {
  snapshot: Snapshot
  /** When the newest of it was read, ISO 8601. */
  time: string
  /** The changes that follow the backup. */
  stream: Stream | undefined
}

interface Candidate {
  snapshot: Snapshot
  keys: string[]
  /** In the form of `nameOfTime`. */
  at: string
}

/**
 * The newest state at or before a time; undefined when each one is younger. A backup beside a continuous one is younger than the backup that
 * its stream goes on from, and older than the last changes in it.
 */
export async function findState(repository: Repository, before?: string): Promise<State | undefined> {
  const limit = before === undefined ? undefined : nameIn(new Date(before).toISOString())
  const names = (await listSnapshots(repository)).filter((name) => limit === undefined || name <= limit)
  let newest: Candidate | undefined
  for (const name of names.reverse()) {
    const candidate = await candidateOf(repository, await readSnapshot(repository, name), before)
    if (candidate && candidate.at > (newest?.at ?? '')) newest = candidate
    // What an older backup goes on with ended before this one's stream began.
    if (candidate?.snapshot.stream) break
  }
  return newest && stateOf(repository, newest)
}

/** The newest state that goes on from a backup; undefined when it is younger than the time. */
async function candidateOf(
  repository: Repository,
  snapshot: Snapshot,
  before: string | undefined,
): Promise<Candidate | undefined> {
  const { stream } = snapshot
  const keys = await listParts(repository, snapshot, before)
  // What was read in several parts is whole with the last of them.
  for (let last = keys.at(-1); last && (await readPart(repository, last)).hasMore; last = keys.at(-1)) keys.pop()
  // The copy of the database has changes that are in the stream too: it is whole from the part on that has all of these.
  if (stream && keys.length < stream.needed - stream.from) {
    if (before !== undefined) return undefined
    throw new Error(`the stream of changes ${stream.name} is not complete`)
  }
  const read = nameOfTime(snapshot.readAt ?? snapshot.time)
  const last = keys.at(-1)
  const at = last && timeIn(last) > read ? timeIn(last) : read
  const isYounger = before !== undefined && at > nameOfTime(new Date(before).toISOString())
  return isYounger ? undefined : { snapshot, keys, at }
}

async function stateOf(repository: Repository, { snapshot, keys }: Candidate): Promise<State> {
  const files: Files = { artifacts: [], objects: [] }
  let time = snapshot.readAt ?? snapshot.time
  for (const key of keys) {
    const part = await readPart(repository, key)
    files.artifacts.push(...part.files.artifacts)
    files.objects.push(...part.files.objects)
    if (part.time > time) time = part.time
  }
  const stream = snapshot.stream && { files, advance: (path: string) => writePages(repository, keys, path) }
  return { snapshot, time, stream }
}

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

/** The newest backup with a stream, and the last of the parts that go on from it. */
export async function findLastPart(repository: Repository): Promise<{ snapshot: Snapshot; key: string } | undefined> {
  for (const name of (await listSnapshots(repository)).reverse()) {
    const snapshot = await readSnapshot(repository, name)
    if (!snapshot.stream) continue
    const key = (await listParts(repository, snapshot)).at(-1)
    return key === undefined ? undefined : { snapshot, key }
  }
  return undefined
}

/** The time of the oldest state; undefined where there is none. */
export async function findOldestTime(repository: Repository): Promise<string | undefined> {
  const [name] = await listSnapshots(repository)
  if (name === undefined) return undefined
  const snapshot = await readSnapshot(repository, name)
  const { stream } = snapshot
  const last = stream && (await listParts(repository, snapshot))[stream.needed - stream.from - 1]
  const read = snapshot.readAt ?? snapshot.time
  const time = last && (await readPart(repository, last)).time
  return time && time > read ? time : read
}
