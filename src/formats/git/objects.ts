// Objects of git and packs of them, as far as one commit without parents needs them: blobs, trees, and no deltas (git-scm.com/docs/gitformat-pack).
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

const types = { commit: 1, tree: 2, blob: 3 } as const
type ObjectType = keyof typeof types

/** An object as a pack has it, and its name in hex. */
export interface GitObject {
  id: string
  packed: Uint8Array
}

export interface TreeEntry {
  /** The name of a file or a folder, without a slash. */
  name: string
  isFolder: boolean
  id: string
}

/** Files alone, that nothing runs: an archive does not say which of its files are programs. */
const FILE = '100644'
const FOLDER = '40000'

export const blobOf = (content: Uint8Array): GitObject => objectOf('blob', content)

/** A folder. Git sorts names by their bytes, those of folders as if a slash followed. */
export function treeOf(entries: readonly TreeEntry[]): GitObject {
  const keyed = entries.map((entry) => ({ ...entry, key: Buffer.from(entry.isFolder ? `${entry.name}/` : entry.name) }))
  keyed.sort((one, other) => Buffer.compare(one.key, other.key))
  const parts = keyed.flatMap(({ name, isFolder, id }) => [
    Buffer.from(`${isFolder ? FOLDER : FILE} ${name}\0`),
    Buffer.from(id, 'hex'),
  ])
  return objectOf('tree', Buffer.concat(parts))
}

export interface CommitContent {
  tree: string
  name: string
  email: string
  /** Of who wrote it and who committed it, in milliseconds. */
  at: number
  message: string
}

export function commitOf({ tree, name, email, at, message }: CommitContent): GitObject {
  const who = `${personName(name)} <${email}> ${Math.floor(at / 1000)} +0000`
  return objectOf('commit', Buffer.from(`tree ${tree}\nauthor ${who}\ncommitter ${who}\n\n${message}\n`))
}

/** What git itself leaves out of a name. */
const personName = (name: string): string =>
  name
    .replace(/[<>\0\n]/g, '')
    .replace(/^[\s.,:;"\\']+|[\s.,:;"\\']+$/g, '')
    .trim() || 'Guildhall'

function objectOf(type: ObjectType, content: Uint8Array): GitObject {
  const id = createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex')
  return { id, packed: Buffer.concat([entryHeader(types[type], content.length), deflateSync(content)]) }
}

/** Type and size: four bits of the size, then seven in each byte; the first bit says that more follow. */
function entryHeader(type: number, size: number): Buffer {
  const bytes: number[] = []
  let rest = Math.floor(size / 16)
  bytes.push((rest > 0 ? 0x80 : 0) | (type << 4) | (size % 16))
  while (rest > 0) {
    const more = Math.floor(rest / 128)
    bytes.push((more > 0 ? 0x80 : 0) | (rest % 128))
    rest = more
  }
  return Buffer.from(bytes)
}

/** A pack of these objects, each of which is in it once. */
export function packOf(objects: Iterable<Uint8Array>): Buffer {
  const entries = [...objects]
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  header.writeUInt32BE(entries.length, 8)
  const hash = createHash('sha1')
  for (const part of [header, ...entries]) hash.update(part)
  return Buffer.concat([header, ...entries, hash.digest()])
}

/** The trees of files by their paths, with all objects; the last one is the root. */
export function treesOf(files: ReadonlyMap<string, string>): { root: string; objects: GitObject[] } {
  const objects: GitObject[] = []
  const build = (inside: readonly (readonly [string[], string])[]): string => {
    const folders = new Map<string, (readonly [string[], string])[]>()
    const entries: TreeEntry[] = []
    for (const [[name = '', ...rest], id] of inside) {
      if (rest.length === 0) entries.push({ name, isFolder: false, id })
      else folders.set(name, [...(folders.get(name) ?? []), [rest, id]])
    }
    for (const [name, below] of folders) entries.push({ name, isFolder: true, id: build(below) })
    const tree = treeOf(entries)
    objects.push(tree)
    return tree.id
  }
  return { root: build([...files].map(([path, id]) => [path.split('/'), id])), objects }
}
