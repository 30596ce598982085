// Installs versions: plans, downloads beside, asks, and then puts everything in place. Until then nothing is changed, and nothing that
// is installed is ever run.

import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { saveDownload } from '../../client/src/save-download.ts'
import { comparePermissions, type Permission } from '../../src/formats/permissions.ts'
import type { BuildOrigin } from './built-by.ts'
import type { Context } from './command.ts'
import {
  allowGrowth,
  allowLoss,
  allowUnproven,
  type Consent,
  confirm,
  permissionText,
  readPermission,
} from './consent.ts'
import { type EarlyDownloads, noDownloads } from './early.ts'
import { hashOf } from './hash.ts'
import { type ItemName, nameText, pathOf } from './home.ts'
import { itemFiles, MAX_FILE_BYTES } from './item-files.ts'
import { anchorOf, changeLock, fileUrl, type LockedItem, type LockedItems, serverOf } from './lock-file.ts'
import { nowhere, type PlaceRequest, type Places } from './places.ts'
import { placesOf } from './placing.ts'
import { type Checked, proveVersions } from './proofs.ts'
import { line } from './text.ts'
import { RefusedError } from './usage.ts'

/** A version that is to be installed, by its hash. */
export interface Target extends ItemName {
  server: string
  version: string
  range: string
  sha256: string
  /** Of the item: as it was asked for, or proven. */
  id?: string
  key?: string
  /** Of the file, in bytes: proven, or what the server says. */
  size?: number
  /** Of a version that is proven. */
  built?: BuildOrigin
}

export interface Installed {
  name: string
  status: 'installed' | 'updated' | 'unchanged'
  version: string
  /** The version before. */
  from?: string
  path: string
  /** What it may do. */
  permissions: string[]
  /** Who built it and who agreed to it, by its statement. */
  built?: BuildOrigin
}

/** A target with what is there now, and what is to take its place. */
interface Step {
  target: Target
  name: string
  path: string
  /** Of the lock file, when the plan was made. */
  entry: LockedItem | undefined
  /** The hash of the file that is there. */
  found: string | undefined
  /** The new file beside it; undefined when the right one is there. */
  draft: string | undefined
  permissions: Permission[]
  /** What goes beside its file. */
  places: Places
}

const AT_ONCE = 4

interface Place {
  home: string
  lock: LockedItems
}

export interface InstallRequest extends Place {
  targets: readonly Target[]
  consent: Consent
  /** Where else it goes. */
  places?: PlaceRequest
  /** What was begun before it was known what it is. */
  early?: EarlyDownloads
}

/** Installs all of these or, if anything is refused, none. */
export async function installAll(
  context: Context,
  { targets, consent, early = noDownloads, places = {}, ...place }: InstallRequest,
): Promise<Installed[]> {
  const steps = await Promise.all(targets.map((target) => stepTo(place, target)))
  try {
    // What a proof says of a file bounds its download. What reads the files is loaded at the same time.
    const asked = targets.map((target) => ({ ...target, key: anchorOf(place.lock, target) }))
    const proving = together([proveVersions(context, place.home, asked), itemFiles()])
    const [{ verified, keep }] = await proving
    await allowUnproven(context, consent, unprovenIn(steps, verified))
    for (const [n, step] of steps.entries()) step.target = withProof(step, verified[n])
    for (const one of verified) if (one) warnOfKey(context, one)
    await download(context, steps, early)
    for (const step of steps) step.permissions = await permissionsAt(step.draft ?? step.path, step.target)
    await allowGrowth(context, consent, await growthsOf(steps))
    for (const step of steps) step.places = await placesOf(context, placing(step), { home: place.home, asked: places })
    await allowLoss(context, consent, changedIn(steps))
    await allowNew(context, consent, steps)
    await putInPlace(place.home, steps)
    await keep()
  } finally {
    await Promise.all(steps.map(tidy))
  }
  return steps.map(installed)
}

/** All of them, in time; where one fails it is said when they are waited for. */
function together<Results extends unknown[]>(
  promises: [...{ [At in keyof Results]: Promise<Results[At]> }],
): Promise<Results> {
  const all = Promise.all(promises) as Promise<Results>
  all.catch(() => undefined)
  return all
}

async function stepTo({ home, lock }: Place, target: Target): Promise<Step> {
  const name = nameText(target)
  const entry = lock.get(name)
  if (entry?.version === target.version && entry.sha256 !== target.sha256 && serverOf(entry) === target.server) {
    throw new RefusedError(
      'hash',
      `${name} ${target.version} has another hash than guildhall.lock says: ${target.sha256} in place of ${entry.sha256}`,
    )
  }
  const path = pathOf(home, target)
  return { target, name, path, entry, found: await hashOf(path), draft: undefined, permissions: [], places: nowhere }
}

/** Downloads what is not there, several files at once, each beside its place. The bytes have the hash of the target, or this throws. */
async function download(context: Context, steps: readonly Step[], early: EarlyDownloads): Promise<void> {
  const missing = steps.filter(({ found, target }) => found !== target.sha256)
  let [done, next] = [0, 0]
  const tell = () => context.progress(`Downloaded ${done} of ${missing.length}`)
  const worker = async (): Promise<void> => {
    for (let step = missing[next++]; step; step = missing[next++]) {
      await downloadOne(context, step, early)
      done++
      tell()
    }
  }
  if (missing.length > 0) tell()
  const ended = await Promise.allSettled(Array.from({ length: Math.min(AT_ONCE, missing.length) }, worker))
  context.progress('')
  const failed = ended.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
}

async function downloadOne(context: Context, step: Step, early: EarlyDownloads): Promise<void> {
  const { server, kind, slug, version, sha256, size = MAX_FILE_BYTES } = step.target
  await mkdir(dirname(step.path), { recursive: true })
  const begun = await early.take(step.name, version, sha256)
  const file =
    begun ?? (await (await context.client({ url: server })).library.file({ kind, slug, version }, { sha256 }))
  step.draft = join(dirname(step.path), `.${randomUUID()}.new`)
  await saveDownload(file, step.draft, { maxBytes: Math.min(size, MAX_FILE_BYTES) })
}

/** Versions that nothing proves, unless they are the bytes that the lock names. */
const unprovenIn = (steps: readonly Step[], verified: readonly unknown[]) =>
  steps
    .filter(({ target, entry }, n) => !verified[n] && entry?.sha256 !== target.sha256)
    .map(({ name, target }) => ({ name, version: target.version, server: target.server }))

/** With the key that proves it, and the size that is proven. A server without a log proves nothing. */
function withProof({ target, name, entry }: Step, proof: Checked | undefined): Target {
  if (!proof) return target
  const { key, size, item: id, run, approver } = proof
  // A name that another item has now is not what was asked for, or was installed.
  const known = target.id ?? (entry && serverOf(entry) === target.server ? entry.id : undefined)
  if (known !== undefined && known !== id)
    throw new RefusedError(
      'other_item',
      `${name} is the item ${id} now, not ${known}: remove it first, if you want that`,
    )
  return { ...target, key, size, id, built: { run, approver } }
}

/** What was stated before the revocation counts: the person decides. */
function warnOfKey(context: Context, { name, version, keyRevokedAt }: Checked): void {
  if (keyRevokedAt !== null) context.show(`${name} ${version} is signed with a key that was revoked on ${keyRevokedAt}`)
}

/** Told from the file: what the server says of it does not count. */
async function permissionsAt(path: string, { kind }: ItemName): Promise<Permission[]> {
  const { readPermissions } = await itemFiles()
  return readPermissions({ kind, path })
}

/** What each may do beyond the version before. What is installed for the first time has none before it. */
async function growthsOf(steps: readonly Step[]) {
  const growths = []
  for (const { name, path, entry, found, target, permissions } of steps) {
    if (!entry) continue
    // The file says it better than the lock, if it is the one that was agreed to.
    const before = found === entry.sha256 ? await permissionsAt(path, target) : entry.permissions.map(readPermission)
    const { added } = comparePermissions(before, permissions)
    if (added.length > 0) growths.push({ name, from: entry.version, to: target.version, added })
  }
  return growths
}

/** Files that are neither what the lock says nor what comes. */
const changedIn = (steps: readonly Step[]) =>
  steps
    .filter(({ found, entry, target }) => found !== undefined && found !== entry?.sha256 && found !== target.sha256)
    .map(({ path }) => path)
    .concat(steps.flatMap(({ places }) => places.list.flatMap(({ lost }) => lost)))

const placing = ({ target, entry, found, path, draft }: Step) => ({
  ...{ target, entry, file: draft ?? path },
  before: found !== undefined && found === entry?.sha256 ? path : undefined,
})

/** Tells what is installed for the first time may do. */
async function allowNew(context: Context, { isYes }: Consent, steps: readonly Step[]): Promise<void> {
  const fresh = steps.filter(({ entry }) => !entry)
  if (fresh.length === 0) return
  for (const { name, target, permissions } of fresh) {
    context.show(`${name} ${line(target.version)} may use:${permissions.length === 0 ? ' nothing' : ''}`)
    for (const one of permissions) context.show(`  ${one.type}: ${line(one.name)}`)
  }
  if (isYes || !context.isInteractive || (await confirm(context, 'Install?'))) return
  throw new RefusedError('declined', 'Nothing was changed')
}

/** Renames the new files into place and writes the lock. Refuses if another command was faster. */
async function putInPlace(home: string, steps: readonly Step[]): Promise<void> {
  await changeLock(home, async (lock) => {
    for (const { name, path, entry, found } of steps) {
      if (JSON.stringify(lock.get(name)) === JSON.stringify(entry) && (await hashOf(path)) === found) continue
      throw new RefusedError('busy', `${name} was changed by another command: try again`)
    }
    for (const step of steps) if (step.draft !== undefined) await rename(step.draft, step.path)
    for (const { places } of steps) for (const one of places.list) await one.change()
    return new Map(steps.map((step) => [step.name, lockedOf(step)]))
  })
}

function lockedOf({ target, name, permissions, entry, places }: Step): LockedItem {
  const { version, range, sha256, server, id = entry?.sha256 === sha256 ? entry.id : undefined } = target
  const key = target.key ?? (entry?.sha256 === sha256 ? entry.key : undefined)
  const texts = permissions.map(permissionText)
  return {
    version,
    range,
    sha256,
    ...(id !== undefined && { id }),
    url: fileUrl(server, name, version),
    ...(key !== undefined && { key }),
    ...places.locked,
    permissions: texts,
  }
}

/** Removes what was not put in place, with the folder if that is all. */
async function tidy({ draft, path }: Step): Promise<void> {
  if (draft !== undefined) await rm(draft, { force: true })
  await rmdir(dirname(path)).catch(() => undefined)
}

function installed({ name, target, entry, found, path, permissions }: Step): Installed {
  const isSame = entry?.sha256 === target.sha256 && found === target.sha256
  const status = isSame ? 'unchanged' : entry && entry.version !== target.version ? 'updated' : 'installed'
  const from = status === 'updated' && entry ? { from: entry.version } : {}
  const built = target.built && { built: target.built }
  return {
    name,
    status,
    version: target.version,
    ...from,
    path,
    permissions: permissions.map(permissionText),
    ...built,
  }
}
