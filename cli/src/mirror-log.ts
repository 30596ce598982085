// The log of a server as a mirror keeps it: bundles of entries, as the server lays them out, and the checkpoint. Every leaf goes into the
// root, which must be that of the checkpoint, signed with the key that was seen first.
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fromBase64, isNoteSigned, isSame, leafHash, parseVkey, readCheckpoint, toBase64 } from '@guildhall/verifiable'
import { appended, entriesOf, joinedHash, pathOf, TILE_WIDTH } from '@guildhall/verifiable/log'
import { replaceFile } from '../../client/src/replace-file.ts'
import { VerifyError } from '../../client/src/verify-error.ts'
import type { Context } from './command.ts'

/** How far the log was read and checked. */
export interface LogState {
  key: string
  /** Leaves that were checked. */
  size: number
  /** Roots of the complete subtrees that they make, largest first, in base64: with them the next leaves need none before. */
  subtrees: string[]
}

interface Place {
  server: string
  folder: string
}

async function get(context: Context, url: string): Promise<Uint8Array> {
  const response = await context.fetch(url, { signal: context.signal })
  if (!response.ok) throw new VerifyError('checkpoint', `${url} answered ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const bytesOf = (hashes: readonly string[]) => hashes.map((hash) => fromBase64(hash) ?? new Uint8Array())

const bundleFile = (folder: string, number: number) => join(folder, 'log/tile/entries', pathOf(number))

async function write(path: string, content: Uint8Array | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await replaceFile(path, content)
}

/** Brings the copy of the log up to the checkpoint of the server. Throws VerifyError where it is not the log that was seen. */
export async function mirrorLog(context: Context, place: Place, known: LogState | undefined): Promise<LogState> {
  const { server, folder } = place
  const keyText = known?.key ?? text(await get(context, `${server}/log/key`)).trim()
  const key = parseVkey(keyText)
  const note = text(await get(context, `${server}/log/checkpoint`))
  const checkpoint = readCheckpoint(note)
  if (!key || !checkpoint || checkpoint.origin !== key.name || !(await isNoteSigned(checkpoint, key)))
    throw new VerifyError('checkpoint', 'The checkpoint is not signed with the key of the log that was seen')
  const { size, root } = checkpoint
  let state = known ?? { key: keyText, size: 0, subtrees: [] }
  if (size < state.size) throw new VerifyError('consistency', `The log has ${size} entries, and had ${state.size}`)
  if (size === 0) return state
  while (state.size < size) {
    state = await readBundle(context, { ...place, size }, state)
    context.progress(`Read ${state.size} of ${size} entries of the log`)
  }
  if (!isSame(joinedHash(bytesOf(state.subtrees)), root))
    throw new VerifyError('consistency', 'The entries of the log do not make the tree that its checkpoint says')
  await write(join(folder, 'log/key'), `${keyText}\n`)
  await write(join(folder, 'log/checkpoint'), note)
  return state
}

/** Checks the copy of the log as it lies there. Throws VerifyError where its entries do not make the tree of its checkpoint. */
export async function checkLogCopy(folder: string, { key: text, size }: LogState): Promise<void> {
  if (size === 0) return
  const checkpoint = readCheckpoint(await readFile(join(folder, 'log/checkpoint'), 'utf8'))
  const key = parseVkey(text)
  if (!key || !checkpoint || checkpoint.origin !== key.name || !(await isNoteSigned(checkpoint, key)))
    throw new VerifyError('checkpoint', 'The checkpoint of the copy is not signed with the key of its log')
  let [roots, index]: [Uint8Array[], number] = [[], 0]
  for (let number = 0; index < checkpoint.size; number++) {
    const entries = readEntries(await readFile(bundleFile(folder, number)))
    if (entries.length === 0) break
    for (const entry of entries.slice(0, checkpoint.size - index)) {
      roots = appended(roots, { leaf: leafHash(entry), index })
      index++
    }
  }
  if (index < checkpoint.size || !isSame(joinedHash(roots), checkpoint.root))
    throw new VerifyError('consistency', 'The entries of the copy of the log do not make the tree of its checkpoint')
}

/** Takes in what is new of a bundle. */
async function readBundle(
  context: Context,
  { server, folder, size }: Place & { size: number },
  { key, size: at, subtrees }: LogState,
): Promise<LogState> {
  const number = Math.floor(at / TILE_WIDTH)
  const width = Math.min(TILE_WIDTH, size - number * TILE_WIDTH)
  const path = `${pathOf(number)}${width === TILE_WIDTH ? '' : `.p/${width}`}`
  const bytes = await get(context, `${server}/log/tile/entries/${path}`)
  const entries = readEntries(bytes)
  if (entries.length !== width) throw new VerifyError('malformed', `${path} has ${entries.length} entries`)
  const added = entries.slice(at - number * TILE_WIDTH)
  let [next, roots] = [at, bytesOf(subtrees)]
  for (const entry of added) roots = appended(roots, { leaf: leafHash(entry), index: next++ })
  await write(bundleFile(folder, number), bytes)
  return { key, size: next, subtrees: roots.map(toBase64) }
}

/** Entries of a bundle. Throws VerifyError. */
function readEntries(bytes: Uint8Array): Uint8Array[] {
  const entries = entriesOf(bytes)
  if (!entries) throw new VerifyError('malformed', 'A bundle of entries is cut off')
  return entries
}

/** An entry of the copy. */
export async function readEntry(folder: string, index: number): Promise<string> {
  const entries = readEntries(await readFile(bundleFile(folder, Math.floor(index / TILE_WIDTH))))
  return text(entries[index % TILE_WIDTH] ?? new Uint8Array())
}
