// Checks installed items: that their files are what was published, and that the public log has them. It needs no server.
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Context } from './command.ts'
import { checkCopy } from './copy.ts'
import { hashOf } from './hash.ts'
import { homeOf, type ItemName, pathOf, readName } from './home.ts'
import { installedOf, namesItem } from './installed-of.ts'
import { type LockedItem, readLock, serverOf } from './lock-file.ts'
import { readCopyState, STATE } from './mirror-state.ts'
import { type Checked, type Proven, proveVersions, verifyKept } from './proofs.ts'
import { bold, red } from './style.ts'
import { line } from './text.ts'
import { RefusedError, UsageError } from './usage.ts'

interface Result {
  name: string
  version: string
  state: 'verified' | 'missing' | 'changed' | 'unproven' | 'doubted'
  reason?: string
  /** When it was published, and by whom. */
  time?: string
  publisher?: string | null
  /** The slug of the team for which it was published. */
  team?: string | null
  /** Whether the publisher signed too. */
  isSigned?: boolean
  /** When the key of the publisher was revoked, as the server said with the proof. */
  keyRevokedAt?: string | null
  index?: number
}

export async function verify(context: Context, { words }: { words: string[] }): Promise<void> {
  const home = await folderOf(context, words)
  if (home !== homeOf(context) && (await isCopy(home))) return verifyCopy(context, home)
  const lock = await readLock(home)
  const results: Result[] = []
  for (const [name, entry] of await installedOf(context, lock, words.filter(namesItem))) {
    const result = await check(context, home, { name, entry })
    const { state, reason, time, publisher, team, isSigned, keyRevokedAt, index } = result
    const key = keyRevokedAt ? ` with a key that was revoked on ${line(keyRevokedAt)}` : ''
    const by = `${publisher ? ` by ${line(publisher)}` : ''}${team ? ` for team ${line(team)}` : ''}${isSigned ? `, signed${key}` : ''}${index === undefined ? ', in no public log' : ''}`
    const about = state === 'verified' ? `  published ${line(time ?? '')}${by}` : `  ${state}: ${line(reason ?? '')}`
    context.say(bold(name), ` ${line(result.version)}`, state === 'verified' ? about : red(about))
    results.push(result)
  }
  if (results.length === 0) context.say('Nothing is installed.')
  const bad = results.filter(({ state }) => state !== 'verified')
  if (bad.length > 0)
    throw new RefusedError('verify', `${bad.length} of ${results.length} could not be verified`, results)
  context.report(results)
}

const isCopy = async (folder: string) => (await stat(join(folder, STATE)).catch(() => undefined))?.isFile() === true

/** Checks a copy that `mirror` made. */
async function verifyCopy(context: Context, folder: string): Promise<void> {
  const { server, log } = await readCopyState(folder)
  if (!log) throw new RefusedError('verify', `${folder} has no log yet: run guildhall mirror again`)
  const { versions, broken } = await checkCopy({ folder, log })
  for (const { name, version, reason } of broken)
    context.say(bold([name, version].filter(Boolean).join(' ') || 'the log'), red(`  broken: ${line(reason)}`))
  const result = { server, folder, key: log.key, size: log.size, versions, broken }
  if (broken.length > 0) throw new RefusedError('verify', `${broken.length} in the copy could not be verified`, result)
  context.say(`${line(server)}: ${versions} versions and ${log.size} entries of the log are what was published`)
  context.report(result)
}

/** A word that is a folder is the home; otherwise words are names. */
async function folderOf(context: Context, words: readonly string[]): Promise<string> {
  const folders = words.filter((word) => !namesItem(word))
  if (folders.length > 1) throw new UsageError('Give names, or one folder')
  const [folder] = folders
  if (folder === undefined) return homeOf(context)
  const found = await stat(resolve(folder)).catch(() => undefined)
  if (!found?.isDirectory()) throw new UsageError(`${folder} is neither kind/slug nor a folder`)
  return resolve(folder)
}

/** Against the kept proof; an item that was installed without one is asked of its server. */
async function check(
  context: Context,
  home: string,
  { name, entry }: { name: string; entry: LockedItem },
): Promise<Result> {
  const { version, sha256 } = entry
  const item = readName(name) as ItemName
  const found = await hashOf(pathOf(home, item))
  if (found === undefined) return { name, version, state: 'missing', reason: 'the file is not there' }
  if (found !== sha256) return { name, version, state: 'changed', reason: 'the file is not what guildhall.lock says' }
  const proven = { ...item, server: serverOf(entry), version, sha256, key: entry.key }
  try {
    const verified = (await verifyKept(home, proven)) ?? (await askServer(context, home, proven))
    if (!verified) return { name, version, state: 'unproven', reason: 'the server has no proof of it' }
    return { name, version, state: 'verified', ...saidOf(verified) }
  } catch (error) {
    if (error instanceof RefusedError)
      return { name, version, state: error.code === 'unproven' ? 'unproven' : 'doubted', reason: error.message }
    throw error
  }
}

function saidOf({ time, publisher, owner, publisherKey, keyRevokedAt, index }: Checked): Partial<Result> {
  const by = { publisher: publisher?.username ?? null, team: owner?.slug ?? null }
  return { time, ...by, isSigned: publisherKey !== null, keyRevokedAt, ...(index !== undefined && { index }) }
}

async function askServer(context: Context, home: string, proven: Proven) {
  const proofs = await proveVersions(context, home, [proven])
  await proofs.keep()
  return proofs.verified[0]
}
