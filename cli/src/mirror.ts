// A verified copy of everything public at a server: the log, and of each item its versions with their proofs. It goes on where it stopped;
// each file appears as a whole.
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { readCheckpoint, toBase64 } from '@guildhall/verifiable'
import type { Client } from '../../client/src/create-client.ts'
import { replaceFile } from '../../client/src/replace-file.ts'
import { saveDownload } from '../../client/src/save-download.ts'
import { isCode, takingTurns } from '../../client/src/turns.ts'
import { fetchProofBundle, type SeenLog, verifyBundle } from '../../client/src/verify.ts'
import { VerifyError } from '../../client/src/verify-error.ts'
import { isVersion } from '../../src/formats/version.ts'
import type { Context } from './command.ts'
import { type Broken, checkCopy, itemFolder, versionFile } from './copy.ts'
import { hashOf } from './hash.ts'
import { type ItemName, nameText, readName } from './home.ts'
import { type LogState, mirrorLog, readEntry } from './mirror-log.ts'
import { readCopyState, STATE, type State } from './mirror-state.ts'
import { serverName } from './server-name.ts'
import { red } from './style.ts'
import { line } from './text.ts'
import { RefusedError, UsageError } from './usage.ts'

const AT_ONCE = 4
const CHANGES_A_PAGE = 100

type Change = Awaited<ReturnType<Client['transparency']['changes']>>['changes'][number]

interface Mirror {
  context: Context
  client: Client
  folder: string
  state: State
  counts: { versions: number; removed: number }
}

export async function mirror(context: Context, { words }: { words: string[] }): Promise<void> {
  try {
    await copyAllOf(context, words)
  } catch (error) {
    if (error instanceof VerifyError) throw new RefusedError(`verify_${error.doubt}`, error.message)
    throw error
  }
}

async function copyAllOf(context: Context, words: readonly string[]): Promise<void> {
  const [address = '', path = ''] = words
  const server = URL.canParse(address) ? new URL(address).origin : undefined
  if (!server) throw new UsageError(`${address} is no address of a server, such as https://guildhall.example`)
  const folder = resolve(path)
  await mkdir(folder, { recursive: true })
  const state = await stateOf(folder, server)
  const client = await context.client({ url: server })
  const mirror = { context, client, folder, state, counts: { versions: 0, removed: 0 } }
  state.log = await mirrorLog(context, { server, folder }, state.log)
  state.seen = await seenOf(folder, state)
  await save(mirror)
  while (state.after < state.log.size - 1) await followPage(mirror)
  const { checked, mended, broken } = await mend(mirror)
  context.progress('')
  const { versions, removed } = mirror.counts
  const name = await serverName(context, server)
  context.say(`${name}: ${versions} versions copied, ${removed} items removed, ${state.log.size} entries of the log`)
  const result = { server, folder, versions, removed, size: state.log.size, checked, mended }
  if (broken.length > 0)
    throw new RefusedError('broken', `${broken.length} of the copy could not be mended`, { ...result, broken })
  context.report(result)
}

/** Verifies all that the copy has, says what is broken, and gets it again where the server has it as the log says. */
async function mend(mirror: Mirror): Promise<{ checked: number; mended: number; broken: Broken[] }> {
  const { context, folder, state } = mirror
  const log = state.log as LogState
  context.progress('Checking the copy')
  const before = await checkCopy({ folder, log })
  for (const { name, version, reason } of before.broken) {
    context.show(red('broken'), ` ${line([name, version].filter(Boolean).join(' ') || 'the log')}: ${line(reason)}`)
    const item = name === undefined ? undefined : readName(name)
    if (item) await copyAgain(mirror, item)
  }
  if (before.broken.length === 0) return { checked: before.versions, mended: 0, broken: [] }
  const { broken } = await checkCopy({ folder, log })
  return { checked: before.versions, mended: before.broken.length - broken.length, broken }
}

/** What fails is broken still, and the next look says so. */
async function copyAgain(mirror: Mirror, name: ItemName): Promise<void> {
  try {
    await copyAll(mirror, name)
    await describe(mirror, name, await mirror.client.library.find({ ...name }))
  } catch (error) {
    mirror.context.show(`${nameText(name)}: ${line(error instanceof Error ? error.message : String(error))}`)
  }
}

async function stateOf(folder: string, server: string): Promise<State> {
  try {
    const state = await readCopyState(folder)
    if (state.server === server) return state
    throw new UsageError(`${folder} is a copy of ${state.server}`)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return { server, log: undefined, seen: undefined, after: -1 }
    throw error
  }
}

async function save({ folder, state }: Mirror): Promise<void> {
  await takingTurns(join(folder, '.turn'), () =>
    replaceFile(join(folder, STATE), `${JSON.stringify(state, null, 2)}\n`),
  )
}

/** The checkpoint that was just checked is what proofs have to be consistent with. */
async function seenOf(folder: string, { log, seen }: State): Promise<SeenLog | undefined> {
  if (!log || log.size === 0) return undefined
  const checkpoint = readCheckpoint(await readFile(join(folder, 'log/checkpoint'), 'utf8'))
  if (!checkpoint) throw new VerifyError('malformed', 'The copy of the checkpoint is malformed')
  const earlier = seen ? { ...seen.earlier, [seen.size]: seen.root } : {}
  return { key: log.key, size: checkpoint.size, root: toBase64(checkpoint.root), earlier }
}

/** Follows some changes, and then notes how far it is. */
async function followPage(mirror: Mirror): Promise<void> {
  const { client, state, folder, context } = mirror
  const { changes } = await client.transparency.changes({ after: state.after, limit: CHANGES_A_PAGE })
  const size = state.log?.size ?? 0
  const known = changes.filter(({ index }) => index < size)
  for (const [offset, { index, entry }] of known.entries()) {
    const isNext = index === state.after + 1 + offset
    if (!isNext || (await readEntry(folder, index)) !== entry)
      throw new VerifyError('inclusion', `The server lists entry ${index} otherwise than its log has it`)
  }
  const last = known.at(-1)
  if (!last) throw new VerifyError('inclusion', 'The server lists fewer changes than its log has')
  const pending = [...known]
  const worker = async () => {
    for (let change = pending.shift(); change; change = pending.shift()) await follow(mirror, change)
  }
  // What removes is done in its order, alone; copies of versions do not depend on each other.
  if (known.every(({ type }) => type === 'publish')) {
    const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker))
    const failed = ended.find((one) => one.status === 'rejected')
    if (failed) throw failed.reason
  } else await worker()
  state.after = last.index
  await save(mirror)
  context.progress(`Followed ${state.after + 1} of ${size} entries of the log`)
}

function nameIn(text: unknown): ItemName {
  const name = typeof text === 'string' ? readName(text) : undefined
  if (!name) throw new VerifyError('malformed', 'An entry of the log names no item')
  return name
}

async function follow(mirror: Mirror, change: Change): Promise<void> {
  const leaf = JSON.parse(change.entry) as Record<string, unknown>
  const name = nameIn(leaf['name'])
  const { item } = change
  if (!item) return removeItem(mirror, name)
  // What was published before a rename is stated and logged again after it, under the later name.
  if (change.type !== 'rename' && nameText(item) !== nameText(name)) return
  switch (change.type) {
    case 'publish':
      if (change.version) await copy(mirror, name, { version: change.version.version, sha256: String(leaf['sha256']) })
      break
    case 'rename':
      await renameItem(mirror, name, nameIn(leaf['to']))
      break
    case 'restore':
      await copyAll(mirror, name)
      break
  }
  await describe(mirror, name, item)
}

async function removeItem({ folder, counts }: Mirror, name: ItemName): Promise<void> {
  const path = itemFolder(folder, name)
  const found = await stat(path).catch(() => undefined)
  if (!found) return
  await rm(path, { recursive: true })
  counts.removed++
}

/** The files too have the name. Their proofs are of the former name until the entries that follow in the log. */
async function renameItem({ folder }: Mirror, from: ItemName, to: ItemName): Promise<void> {
  const [source, target] = [itemFolder(folder, from), itemFolder(folder, to)]
  if (!(await stat(source).catch(() => undefined))) return
  for (const version of (await readdir(source)).filter((name) => isVersion(name)))
    await renameIfThere(
      versionFile(folder, from, version),
      join(source, version, basename(versionFile(folder, to, version))),
    )
  await mkdir(dirname(target), { recursive: true })
  await renameIfThere(source, target)
}

const renameIfThere = (from: string, to: string): Promise<void> =>
  rename(from, to).catch((error: unknown) => {
    if (!isCode(error, 'ENOENT')) throw error
  })

/** What the item is now: its name, owner, visibility, versions that were yanked. */
async function describe({ folder, client }: Mirror, name: ItemName, item: object): Promise<void> {
  const path = itemFolder(folder, name)
  if (!(await stat(path).catch(() => undefined))) return
  const { versions } = await client.library.findVersions({ ...name })
  await replaceFile(join(path, 'item.json'), `${JSON.stringify({ ...item, versions }, null, 2)}\n`)
}

async function copyAll(mirror: Mirror, name: ItemName): Promise<void> {
  const { versions } = await mirror.client.library.findVersions({ ...name })
  for (const { version, sha256 } of versions) await copy(mirror, name, { version, sha256 })
}

/** Copies a version with its proof; one that is there already is left as it is. */
async function copy(
  { client, folder, state, counts }: Mirror,
  name: ItemName,
  { version, sha256 }: { version: string; sha256: string },
): Promise<void> {
  const path = versionFile(folder, name, version)
  const place = dirname(path)
  await mkdir(place, { recursive: true })
  const bundle = await fetchProofBundle(client, { ...name, version, seen: state.seen })
  if (bundle.name !== nameText(name)) throw new RefusedError('mirror', `The proof is of ${bundle.name}`)
  const { size: maxBytes } = await verifyBundle(bundle, { sha256, seen: state.seen })
  if ((await hashOf(path)) !== sha256)
    await saveDownload(await client.library.file({ ...name, version }, { sha256 }), path, { maxBytes })
  await replaceFile(join(place, 'proof.json'), `${JSON.stringify(bundle)}\n`)
  counts.versions++
}
