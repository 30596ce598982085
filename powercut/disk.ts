// What was recorded (shim.c), done again on a model of a disk that knows for every file and folder what is on it for certain, and
// what a power cut may take. Cut at any record, it gives the files that would be there afterwards.
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** One call. `at` is where its record ends in the recording, in bytes. */
export interface Call {
  at: number
  name: string
  inode: number
  path: string
  /** The new path of a rename or a link. */
  to: string
  /** The offset of a write, or the size of a truncation. */
  number: number
  /** Names an fsync, at its beginning and at its end. */
  sync: string
  bytes: Buffer
}

type Change = { call: number; bytes?: Buffer; at: number }

interface FileNode {
  /** What an fsync brought to the disk. */
  synced: Buffer
  /** Writes and truncations since, in order. */
  pending: Change[]
}

type Names = ReadonlyMap<string, FileNode | FolderNode>

interface FolderNode {
  names: Map<string, FileNode | FolderNode>
  /** What an fsync of the folder brought to the disk. */
  synced: Names
  /** When the fsync of `synced` began. */
  syncedAt: number
  /** The entries when the last fsync of anything ended: ext4 commits all names with any fsync. */
  committed: Names
}

const isFolder = (node: FileNode | FolderNode | undefined): node is FolderNode => node !== undefined && 'names' in node
const newFolder = (): FolderNode => ({ names: new Map(), synced: new Map(), syncedAt: -1, committed: new Map() })

/** The files that are there after a power cut, by their paths. */
export type Files = Map<string, Buffer>

/** What a disk keeps: which names, and which of the writes that no fsync followed. */
export interface Rule {
  name: string
  namesOf(folder: FolderNode): Names
  keeps(change: Change): boolean
}

/** The rules, the most forgiving first. What is scattered is the same at every run. */
export const rules: readonly Rule[] = [
  { name: 'ext4, names committed at the cut', namesOf: ({ names }) => names, keeps: () => false },
  {
    name: 'ext4, names of the last fsync, scattered writes',
    namesOf: ({ committed }) => committed,
    keeps: ({ call }) => ((call * 2_654_435_761) >>> 7) % 2 === 0,
  },
  { name: 'strictest: only what was fsynced', namesOf: ({ synced }) => synced, keeps: () => false },
]

export function readRecording(path: string): Call[] {
  const recording = readFileSync(path)
  const calls: Call[] = []
  let at = 0
  const line = () => {
    const end = recording.indexOf(10, at)
    const text = recording.toString('utf8', at, end)
    at = end + 1
    return text
  }
  while (at < recording.length) {
    const [name = '', ...words] = line().split(' ')
    const call: Call = { at, name, inode: 0, path: '', to: '', number: 0, sync: '', bytes: Buffer.alloc(0) }
    if (name === 'rename' || name === 'link') Object.assign(call, { path: words.join(' '), to: line() })
    else if (name === 'remove') call.path = words.join(' ')
    else if (name === 'synced') call.sync = words.join()
    else {
      call.inode = Number(words[0])
      if (name === 'create' || name === 'folder') call.path = words.slice(1).join(' ')
      else if (name === 'sync') call.sync = words.slice(1).join()
      else call.number = Number(words[1])
    }
    if (name === 'write') {
      call.bytes = recording.subarray(at, at + Number(words[2]))
      at += Number(words[2])
    }
    calls.push({ ...call, at })
  }
  return calls
}

export class Disk {
  readonly #root = newFolder()
  readonly #nodes = new Map<number, FileNode | FolderNode>()
  readonly #folders = new Set([this.#root])
  /** Fsyncs that have begun. */
  readonly #syncing = new Map<string, { begun: number; node: FileNode | FolderNode; names: Names }>()
  #calls = 0

  /** Does one call, and then knows what is on the disk. */
  apply(call: Call): void {
    const number = this.#calls++
    const node = this.#nodes.get(call.inode)
    if (call.name === 'create') this.#add(call, { synced: Buffer.alloc(0), pending: [] })
    else if (call.name === 'folder') this.#add(call, newFolder())
    else if (call.name === 'write' && node && !isFolder(node))
      node.pending.push({ call: number, bytes: call.bytes, at: call.number })
    else if (call.name === 'truncate' && node && !isFolder(node)) node.pending.push({ call: number, at: call.number })
    else if (call.name === 'sync' && node)
      this.#syncing.set(call.sync, { begun: number, node, names: new Map(isFolder(node) ? node.names : []) })
    else if (call.name === 'synced') this.#endSync(call.sync)
    else if (call.name === 'remove') this.#take(call.path)
    else if (call.name === 'rename') this.#put(call.to, this.#take(call.path))
    else if (call.name === 'link') this.#put(call.to, this.#at(call.path))
  }

  /** The files after a power cut now. */
  filesAfter(rule: Rule): Files {
    const files: Files = new Map()
    const visit = (folder: FolderNode, path: string) => {
      for (const [name, node] of rule.namesOf(folder)) {
        if (isFolder(node)) visit(node, `${path}/${name}`)
        else files.set(`${path}/${name}`, withChanges(node.synced, node.pending.filter(rule.keeps)))
      }
    }
    visit(this.#root, '')
    return files
  }

  /** The files as programs see them. */
  files(): Files {
    return this.filesAfter({ name: 'none', namesOf: ({ names }) => names, keeps: () => true })
  }

  #endSync(name: string): void {
    const sync = this.#syncing.get(name)
    this.#syncing.delete(name)
    if (!sync) return
    const { begun, node, names } = sync
    if (!isFolder(node)) {
      node.synced = withChanges(
        node.synced,
        node.pending.filter(({ call }) => call < begun),
      )
      node.pending = node.pending.filter(({ call }) => call > begun)
    } else if (begun > node.syncedAt) Object.assign(node, { synced: names, syncedAt: begun })
    for (const folder of this.#folders) folder.committed = new Map(folder.names)
  }

  #folder(path: string): FolderNode {
    const found = path === '/' || path === '' ? this.#root : this.#at(path)
    if (!isFolder(found)) throw new Error(`The recording has no folder ${path}`)
    return found
  }

  #at(path: string): FileNode | FolderNode | undefined {
    return this.#folder(dirname(path)).names.get(nameOf(path))
  }

  #add({ path, inode }: Call, node: FileNode | FolderNode): void {
    this.#nodes.set(inode, node)
    if (isFolder(node)) this.#folders.add(node)
    this.#put(path, node)
  }

  #put(path: string, node: FileNode | FolderNode | undefined): void {
    if (path !== '' && node) this.#folder(dirname(path)).names.set(nameOf(path), node)
  }

  #take(path: string): FileNode | FolderNode | undefined {
    const { names } = this.#folder(dirname(path))
    const node = names.get(nameOf(path))
    names.delete(nameOf(path))
    return node
  }

  /** The folder that holds all others is there, with this inode. */
  constructor(rootInode: number) {
    this.#nodes.set(rootInode, this.#root)
  }
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

function withChanges(bytes: Buffer, changes: readonly Change[]): Buffer {
  if (changes.length === 0) return bytes
  let size = bytes.length
  const ends = changes.map((change) => (change.bytes ? change.at + change.bytes.length : change.at))
  const result = Buffer.alloc(Math.max(size, ...ends))
  bytes.copy(result)
  for (const { bytes: written, at } of changes) {
    if (written) {
      written.copy(result, at)
      size = Math.max(size, at + written.length)
    } else {
      result.fill(0, Math.min(at, size))
      size = at
    }
  }
  return result.subarray(0, size)
}
