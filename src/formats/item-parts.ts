// What a file is made of, for the comparison of two: its files with their hashes, the steps of its actions, its nodes or roles, and
// what it may do. Everything is bounded; the result says what is left out.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { recordOf } from '../contract/records.ts'
import { Archive } from './archive.ts'
import { definitionPermissions, type FileKind, textOf } from './file-permissions.ts'
import { hashOfValue, jsonOf } from './json-values.ts'
import { isObject } from './permission-set.ts'
import { type PackagedFile, type Permission, permissionsOf, WantedTexts } from './permissions.ts'
import { cut } from './text.ts'

/** A larger file is compared by its hash alone. */
export const MAX_COMPARED_BYTES = 64 * 1024
const MAX_PARTS = 2_000
const MAX_NAME_LENGTH = 200

export interface FilePart {
  /** `''` for the only file of a workflow or an org. */
  path: string
  /** Bytes, inflated. */
  size: number
  sha256: string
  /** The text of a small file; JSON with a line for each value. */
  text?: string | undefined
}

/** A node of a workflow, a role of an org, or a step of an action. */
export interface Part {
  /** What makes it the same one in another version. */
  id: string
  name: string
  type: string
  sha256: string
}

export interface ItemParts {
  permissions: Permission[]
  files: FilePart[]
  steps: Part[]
  nodes: Part[]
  /** There are more steps or nodes than are compared. */
  truncated: boolean
}

/** @throws FormatError for an archive that cannot be read */
export async function readParts({ kind, path }: { kind: FileKind; path: string }): Promise<ItemParts> {
  return kind === 'automation' ? archiveParts(path) : definitionParts(kind, await readFile(path))
}

async function archiveParts(path: string): Promise<ItemParts> {
  await using archive = await Archive.open(path)
  const wanted = new WantedTexts()
  const read = new Map<string, { bytes?: Buffer; sha256: string }>()
  const entries = archive.entries.filter(({ isFolder }) => !isFolder)
  const isRead = new Map(entries.map(({ path, size }) => [path, wanted.wants(path, size)]))
  await archive.inflate(({ path, size, isFolder }) => {
    const hash = createHash('sha256')
    const chunks: Buffer[] | undefined = isRead.get(path) || size <= MAX_COMPARED_BYTES ? [] : undefined
    const done = { sha256: '' }
    if (!isFolder) read.set(path, done)
    let left = size
    const finish = () =>
      Object.assign(done, { sha256: hash.digest('hex'), ...(chunks && { bytes: Buffer.concat(chunks) }) })
    if (size === 0) finish()
    return (chunk) => {
      hash.update(chunk)
      chunks?.push(Buffer.from(chunk))
      left -= chunk.length
      if (left === 0 && chunk.length > 0) finish()
    }
  })
  const texts = entries.map(({ path }): PackagedFile => {
    const bytes = isRead.get(path) ? read.get(path)?.bytes : undefined
    return bytes ? { path, text: textOf(bytes) } : { path }
  })
  const files = entries.map(({ path, size }): FilePart => {
    const { bytes, sha256 } = read.get(path) ?? { sha256: '' }
    return { path, size, sha256, text: bytes && size <= MAX_COMPARED_BYTES ? comparedText(path, bytes) : undefined }
  })
  return {
    permissions: permissionsOf({ kind: 'automation', files: texts }),
    files,
    nodes: [],
    ...bounded('steps', stepsOf(texts)),
  }
}

async function definitionParts(kind: 'workflow' | 'org', bytes: Buffer): Promise<ItemParts> {
  const permissions = await definitionPermissions(kind, bytes)
  const definition = jsonOf(bytes)
  const list = isObject(definition) ? definition[kind === 'org' ? 'roles' : 'nodes'] : undefined
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const text = bytes.length <= MAX_COMPARED_BYTES ? comparedText('.json', bytes) : undefined
  const nodes = bounded('nodes', Array.isArray(list) ? list.map(nodeOf) : [])
  const isWhole = definition !== undefined && !nodes.truncated
  return {
    permissions,
    files: [{ path: '', size: bytes.length, sha256, text }],
    steps: [],
    ...nodes,
    truncated: !isWhole,
  }
}

/** A node by its id or name, a role by its id; where it stands on the canvas is no change. */
function nodeOf(given: unknown): Part {
  const node = isObject(given) ? given : {}
  const { position: _, ui: __, ...content } = node
  const sha256 = hashOfValue(content)
  const name = textIn(node, 'name') ?? textIn(node, 'title') ?? textIn(node, 'id') ?? ''
  return part({
    id: textIn(node, 'id') ?? textIn(node, 'name') ?? sha256,
    name,
    type: textIn(node, 'type') ?? '',
    sha256,
  })
}

/** The steps of every action; one without an id is another one when it changes. */
function stepsOf(files: readonly PackagedFile[]): Part[] {
  return files.flatMap(({ path, text }) => {
    const action = path.match(/^actions\/(.+)\.json$/)?.[1]
    const value = action === undefined || text === undefined ? undefined : jsonOf(Buffer.from(text))
    const steps = isObject(value) && Array.isArray(value['steps']) ? value['steps'] : []
    return steps.map((step, index) => {
      const given = isObject(step) ? step : {}
      const sha256 = hashOfValue(step)
      const type =
        textIn(given, 'step') ??
        textIn(given, 'type') ??
        textIn(given, 'action') ??
        (typeof step === 'string' ? step : '')
      const own = textIn(given, 'id') ?? textIn(given, 'name')
      return part({ id: `${action} ${own ?? sha256}`, name: `${action} ${own ?? index + 1}`, type, sha256 })
    })
  })
}

const textIn = (value: Record<string, unknown>, key: string): string | undefined =>
  typeof value[key] === 'string' && value[key] !== '' ? value[key] : undefined

const shown = (text: string): string => cut(text, MAX_NAME_LENGTH).replaceAll('\0', '\ufffd').toWellFormed()
const part = ({ id, name, type, sha256 }: Part): Part => ({ id, name: shown(name), type: shown(type), sha256 })

/** At most so many, each with an id of its own: the second one of an id is another. */
function bounded<Key extends 'steps' | 'nodes'>(key: Key, parts: Part[]): Record<Key, Part[]> & { truncated: boolean } {
  const counts = new Map<string, number>()
  const apart = parts.slice(0, MAX_PARTS).map((one) => {
    const count = (counts.get(one.id) ?? 0) + 1
    counts.set(one.id, count)
    return { ...one, id: `${one.id} ${count}` }
  })
  return { ...recordOf([key], () => apart), truncated: parts.length > MAX_PARTS }
}

/** The text of a small file; undefined for what is none. */
function comparedText(path: string, bytes: Buffer): string | undefined {
  const text = textOf(bytes)
  if (text === undefined || text.includes('\0')) return undefined
  if (!path.toLowerCase().endsWith('.json') || /^\s*[[{]\s*\n/.test(text)) return text
  const value = jsonOf(bytes)
  try {
    return value === undefined ? text : `${JSON.stringify(value, null, 2)}\n`
  } catch {
    // Too deep for JSON.stringify, which calls itself.
    return text
  }
}
