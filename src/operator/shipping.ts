// `backup --continuous`: a backup, then every change within half a second, until a signal stops it. A new backup begins when the stream
// has become long: restoring reads all of it.

import { existsSync, watch } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { isPostgres } from '../database/address.ts'
import { openBlobs } from '../storage/open-blobs.ts'
import type { Progress } from './output.ts'
import type { Repository } from './repository.ts'
import { type Files, nameOfTime, type Snapshot } from './snapshot.ts'
import { writePart } from './stream.ts'
import { keepFiles, takeBackup } from './taking.ts'
import { type Changed, WalTail } from './wal-tail.ts'

const EVERY_MILLISECONDS = 500
/** An hour in which something changes twice a second. */
const LONGEST_STREAM = 7_200

export interface Shipping {
  config: Config
  repository: Repository
  /** Ends it after the changes of that moment. */
  signal: AbortSignal
  progress: Progress
  /** A backup is complete, and its stream begins. */
  onBackup: (snapshot: Snapshot) => Promise<void>
}

/** Resolves after `signal`. Rejects when the database is gone. */
export async function ship(shipping: Shipping): Promise<void> {
  const { config, signal } = shipping
  if (isPostgres(config.databaseUrl)) {
    throw new Error('--continuous is for SQLite: PostgreSQL archives its own log (continuous archiving in its manual)')
  }
  // Makes the folder that is watched.
  await openBlobs(config.blobUrl).then((blobs) => blobs.close())
  const tail = new WalTail(config.databaseUrl)
  const news = watchFiles(config.blobUrl)
  try {
    while (!signal.aborted) await shipOne(shipping, { tail, news })
  } finally {
    news.close()
    tail.close()
  }
}

interface Sources {
  tail: WalTail
  news: News
}

/** A backup and its stream. */
async function shipOne(shipping: Shipping, { tail, news }: Sources): Promise<void> {
  const { config, repository, progress, signal, onBackup } = shipping
  const stream = nameOfTime(new Date().toISOString())
  let number = 0
  let files: Files = { artifacts: [], objects: [] }
  const put = async (changed: Changed | undefined) => {
    const time = new Date().toISOString()
    const fresh = news.take() ? await newFiles(config, repository, files) : undefined
    if (!changed && !fresh) return
    if (fresh) files = fresh.all
    const part = { time, changed, files: fresh?.added ?? { artifacts: [], objects: [] } }
    await writePart(repository, { stream, number }, part)
    number++
  }
  const snapshot = await takeBackup({
    ...{ config, repository, progress },
    // The copy of the database has changes that are in the stream too: it is whole from the part on that has all of these.
    stream: async () => {
      await put(tail.read())
      return { name: stream, needed: number }
    },
  })
  files = snapshot
  await onBackup(snapshot)
  // This goes on for weeks, in which others remove pieces.
  repository.forget('all')
  while (!signal.aborted && number < LONGEST_STREAM) {
    await sleep(EVERY_MILLISECONDS, undefined, { signal }).catch(() => {})
    const isGone = !existsSync(config.databaseUrl)
    await put(isGone ? tail.rest() : tail.isLong ? tail.startOver() : tail.read())
    if (isGone) throw new Error(`${config.databaseUrl} is gone: what it had is in the backup`)
    progress(`${number} changes since ${snapshot.time}`)
  }
}

/** The files that are there now, and those that were not among the known ones or are newer. */
async function newFiles(config: Config, repository: Repository, known: Files): Promise<{ all: Files; added: Files }> {
  const blobs = await openBlobs(config.blobUrl)
  try {
    const all = await keepFiles(repository, blobs, { earlier: known, progress: () => {} })
    const before = new Set<object>([...known.artifacts, ...known.objects])
    const added = {
      artifacts: all.artifacts.filter((file) => !before.has(file)),
      objects: all.objects.filter((file) => !before.has(file)),
    }
    return { all, added }
  } finally {
    blobs.close()
  }
}

interface News {
  /** Whether a file was written since the last call. */
  take(): boolean
  close(): void
}

/** A bucket survives the loss of this machine: its files are in each backup, not in the stream. */
function watchFiles(blobUrl: string): News {
  if (!blobUrl.startsWith('file:')) return { take: () => false, close: () => {} }
  let isNew = false
  const watcher = watch(blobUrl.slice('file:'.length), { recursive: true }, () => {
    isNew = true
  })
  // The folder is gone; the database is too, which ends it.
  watcher.on('error', () => {})
  return {
    take() {
      const was = isNew
      isNew = false
      return was
    },
    close: () => watcher.close(),
  }
}
