// `npm run admin -- backup`, `backups` and `restore`.

import type { Config } from '../config/config.ts'
import { refuseMissing } from '../database/existing.ts'
import { noteBackup } from '../runtime/backup-times.ts'
import { machineClock } from '../runtime/clock.ts'
import { required } from '../runtime/untyped.ts'
import { verify } from '../verify/verify.ts'
import type { Call, Command } from './command.ts'
import { hasScheme } from './opening-rows.ts'
import type { Output } from './output.ts'
import { openRepository, type Repository } from './repository.ts'
import { refuseUsedPlaces, restore as restoreSnapshot } from './restoring.ts'
import type { ship } from './shipping.ts'
import { findOrigin, listSnapshots, nameIn, piecesOf, readSnapshot, type Snapshot } from './snapshot.ts'
import { findOldestTime, findState } from './states.ts'
import { piecesOfStream, removeParts } from './stream.ts'
import { takeBackup } from './taking.ts'
import { unlessTaking } from './taking-turns.ts'

/** What goes on with every change, where this build has it. */
type LoadContinuous = () => Promise<{ ship: typeof ship }>

export const backupWith = (continuous: LoadContinuous | undefined): Command => ({
  usage: 'backup <where> [--keep <n>] [--continuous]',
  summary: `copies database, stored files and keys to file:<folder> or s3://... while the server
runs; what an earlier backup has is not copied again. BACKUP_PASSPHRASE encrypts
all of it; BACKUP_KEY signs what is not encrypted. --keep removes all but the newest n backups, and the one that a running
continuous backup goes on from. With --continuous (SQLite) it goes on with every
change, until it is stopped`,
  parameters: [1, 1],
  options: { keep: { type: 'string' }, continuous: { type: 'boolean' } },
  run: (call) => runBackup(call, continuous),
})

export const restore: Command = {
  usage: 'restore <where> [--at <time>] [--unauthenticated]',
  summary: `restores the newest backup, or the newest before a time, to where the settings
say, which must be empty; then verifies it. A backup that is neither encrypted nor
signed may be written by anybody: --unauthenticated takes it all the same`,
  parameters: [1, 1],
  options: { at: { type: 'string' }, unauthenticated: { type: 'boolean' } },
  run: runRestore,
}

export const backups: Command = {
  usage: 'backups <where>',
  summary: 'lists the backups there',
  parameters: [1, 1],
  run: runList,
}

/** Opens the place that the first parameter names, for as long as `work` takes. */
async function within(
  call: Call,
  how: 'read' | 'write',
  work: (config: Config, repository: Repository) => Promise<number>,
): Promise<number> {
  const url = urlOf(required(call.parameters[0]))
  if (url === undefined) {
    call.output.complain('A backup is in a folder or in s3://bucket/prefix.')
    return 2
  }
  const config = call.settings()
  const repository = await openRepository(url, {
    ...{ passphrase: config.backupPassphrase, backupKey: config.backupKey, mayBegin: how === 'write' },
    isUnauthenticated: call.options['unauthenticated'] === true,
  })
  try {
    return await work(config, repository)
  } finally {
    repository.close()
  }
}

/** A plain path is a folder; undefined for another kind of address. */
function urlOf(where: string): string | undefined {
  if (/^(file:|s3:\/\/)/.test(where)) return where
  return hasScheme(where) ? undefined : `file:${where}`
}

const summaryOf = ({ time, database, artifacts, objects, engine }: Snapshot) => ({
  ...{ time, engine, files: artifacts.length + objects.length },
  bytes: database.size + [...artifacts, ...objects].reduce((total, { size }) => total + size, 0),
})

async function runBackup(call: Call, continuous: LoadContinuous | undefined): Promise<number> {
  const { options, output } = call
  const keep = options['keep'] === undefined ? undefined : Number(options['keep'])
  if (keep !== undefined && !(Number.isInteger(keep) && keep > 0)) {
    output.complain('--keep takes a number of backups, at least 1.')
    return 2
  }
  if (options['continuous'] === true && !continuous) {
    output.complain('This build has no continuous backups.')
    return 2
  }
  refuseMissing(call.settings().databaseUrl)
  return within(call, 'write', async (config, repository) => {
    sayWhatIsMissing(config, output)
    const onBackup = async (snapshot: Snapshot) => {
      noteBackup(config.dataDir, { backup: snapshot.readAt ?? snapshot.time })
      const removed = keep === undefined ? 0 : await removeOlder(repository, keep)
      const summary = summaryOf(snapshot)
      const sentence = `The backup of ${summary.time} is complete: ${summary.files} files, ${summary.bytes} bytes with the database${repository.isSealed ? ', encrypted' : ''}.`
      output.result({ ...summary, isEncrypted: repository.isSealed, removed }, sentence)
    }
    const parts = { config, repository, progress: output.progress }
    if (options['continuous'] === true && continuous) {
      const { ship } = await continuous()
      const place = required(call.parameters[0])
      await ship({ ...parts, place, complain: output.complain, onBackup, signal: untilStopped() })
    } else await onBackup(await takeBackup(parts))
    return 0
  })
}

function untilStopped(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return stop.signal
}

function sayWhatIsMissing({ signingKey }: Config, output: Output): void {
  if (signingKey)
    output.say('SIGNING_KEY is a setting: keep it yourself. Without it a restored server ends all sessions of agents.')
}

/**
 * Removes all but the newest backups, and the pieces that only those had. The one that a continuous backup goes on from is kept: what
 * that writes is nothing without it.
 */
async function removeOlder(repository: Repository, keep: number): Promise<number> {
  const names = await listSnapshots(repository)
  const origin = await findOrigin(repository)
  const isKept = (name: string, at: number) => at >= names.length - keep || (origin && name === nameIn(origin.time))
  const kept = names.filter(isKept)
  const old = names.filter((name) => !kept.includes(name))
  for (const name of old) await repository.remove(name)
  await unlessTaking(repository, () => removeUnused(repository))
  return old.length
}

/** A piece is younger than the part of a continuous backup that will name it, and so is a stream than the backup that it goes on from. */
const YOUNG_MILLISECONDS = 3_600_000

/** Removes the streams and pieces that no backup has. */
async function removeUnused(repository: Repository): Promise<void> {
  const used = new Set<string>()
  const streams = new Map<string, number>()
  for (const name of await listSnapshots(repository)) {
    const snapshot = await readSnapshot(repository, name)
    const { stream } = snapshot
    if (stream) streams.set(stream.name, Math.min(stream.from, streams.get(stream.name) ?? stream.from))
    for (const piece of [...piecesOf(snapshot), ...(await piecesOfStream(repository, snapshot))]) used.add(piece)
  }
  const young = new Date(machineClock.now() - YOUNG_MILLISECONDS)
  await removeParts(repository, streams, young)
  await repository.prune(used, young)
}

const UNKNOWN_WRITER =
  'The backups there are neither encrypted (BACKUP_PASSPHRASE) nor signed (BACKUP_KEY): hashes and names can be checked, but not who wrote them. If no one else can write there, restore with --unauthenticated.'

async function runRestore(call: Call): Promise<number> {
  const { options, output } = call
  const at = options['at'] === undefined ? undefined : String(options['at'])
  if (at !== undefined && Number.isNaN(Date.parse(at))) {
    output.complain('--at takes a time such as 2026-11-23T04:00:00Z.')
    return 2
  }
  return within(call, 'read', async (config, repository) => {
    if (!repository.isAuthentic && options['unauthenticated'] !== true) {
      output.complain(UNKNOWN_WRITER)
      return 1
    }
    await refuseUsedPlaces(config)
    const state = await findState(repository, at)
    if (!state) {
      const oldest = await findOldestTime(repository)
      output.complain(
        oldest ? `There is no state from before ${at}: the oldest is that of ${oldest}.` : 'There is no backup there.',
      )
      return 1
    }
    const { snapshot, stream, time } = state
    await restoreSnapshot({ config, repository, snapshot, stream, progress: output.progress })
    noteBackup(config.dataDir, { restore: new Date(machineClock.now()).toISOString() })
    output.say(`Restored the state of ${time}${at ? `, the newest at or before ${at}` : ''}. It is verified now:`)
    const restored = { ...summaryOf(snapshot), time }
    return verify(config, { ...output, result: (verified, text) => output.result({ ...restored, verified }, text) })
  })
}

async function runList(call: Call): Promise<number> {
  return within(call, 'read', async (_, repository) => {
    const names = await listSnapshots(repository)
    const all = await Promise.all(names.map(async (name) => summaryOf(await readSnapshot(repository, name))))
    const lines = all.map(({ time, files, bytes, engine }) => `${time}  ${engine}  ${files} files  ${bytes} bytes`)
    call.output.result(all, lines.join('\n') || 'There are none.')
    return 0
  })
}
