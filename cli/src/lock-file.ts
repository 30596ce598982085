// guildhall.lock: which version of each item is installed, by its hash, and what it was allowed to do. Whoever has the same lock file
// installs the same bytes.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../client/src/replace-file.ts'
import { isCode, takingTurns } from '../../client/src/turns.ts'
import { type ItemName, LOCK_FILE, nameText, readName } from './home.ts'
import { isId } from './item-of.ts'
import { RefusedError } from './usage.ts'

export interface LockedItem {
  version: string
  /** What `update` chooses from: a range, a version, or `latest`. */
  range: string
  /** Of the file, in hex. */
  sha256: string
  /** Of the item, as its statement says. Locks from before do not have it. */
  id?: string
  /** Where exactly this file comes from. */
  url: string
  /** The key of the statement that was checked. */
  key?: string
  /** Of a skill: the folders that it is in, below that of the project or of the user, with `/`. */
  folders?: string[]
  /** Of an MCP server: the agents that have it in their configuration. */
  clients?: string[]
  /** What the person agreed to, as `type:name`, sorted. */
  permissions: string[]
}

export type LockedItems = ReadonlyMap<string, LockedItem>

/** `name+id+key`, as notes have it. */
const KEY = /^[^\s+]+\+[0-9a-f]{8}\+\S+$/

/** The items of the lock file, by their names; none where there is no file. */
export async function readLock(home: string): Promise<LockedItems> {
  const path = join(home, LOCK_FILE)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return new Map()
    throw error
  }
  try {
    return itemsOf(JSON.parse(text))
  } catch (error) {
    throw new RefusedError('lock', `${path} cannot be read: ${(error as Error).message}`)
  }
}

function itemsOf(value: unknown): LockedItems {
  if (!isObject(value) || value['lockfileVersion'] !== 1) throw new Error('it is no lock file of version 1')
  const { items } = value
  if (!isObject(items)) throw new Error('it has no items')
  return new Map(Object.entries(items).map(([name, item]) => [checkedName(name), checkedItem(name, item)]))
}

function checkedName(name: string): string {
  const read = readName(name)
  if (!read || nameText(read) !== name) throw new Error(`${JSON.stringify(name)} is no name`)
  return name
}

function checkedItem(name: string, item: unknown): LockedItem {
  const wrong = (field: string) => new Error(`${field} of ${name} is not right`)
  if (!isObject(item)) throw wrong('the entry')
  for (const field of ['version', 'range', 'url', 'sha256']) if (typeof item[field] !== 'string') throw wrong(field)
  const locked = item as object as LockedItem
  if (!/^[0-9a-f]{64}$/.test(locked.sha256)) throw wrong('sha256')
  if (locked.url !== fileUrl(serverOf(locked), name, locked.version)) throw wrong('url')
  const { permissions, key, id, folders, clients } = locked
  if (clients !== undefined && !(Array.isArray(clients) && clients.every((one) => typeof one === 'string')))
    throw wrong('clients')
  if (folders !== undefined && !(Array.isArray(folders) && folders.every(isBelow))) throw wrong('folders')
  if (id !== undefined && !(typeof id === 'string' && isId(id))) throw wrong('id')
  if (key !== undefined && !(typeof key === 'string' && KEY.test(key))) throw wrong('key')
  if (!Array.isArray(permissions) || !permissions.every((one) => typeof one === 'string')) throw wrong('permissions')
  return locked
}

/** A path that leads nowhere else than down: a lock of somebody else must not say where else to write. */
const isBelow = (path: unknown): boolean =>
  typeof path === 'string' &&
  /^(?!\/)[^\\:\0]+$/.test(path) &&
  !path.split('/').some((one) => one === '' || one === '..')

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The address of the file of a version. */
export const fileUrl = (server: string, name: string, version: string): string =>
  `${server}/api/library/${name}/${encodeURIComponent(version)}/file`

/** The server that an item comes from. */
export const serverOf = ({ url }: Pick<LockedItem, 'url'>): string => url.replace(/\/api\/library\/.*$/, '')

/**
 * The key that a version of a server must be proven by: that of its entry, otherwise that of the other entries from this server. Undefined
 * where the lock has none.
 */
export function anchorOf(lock: LockedItems, { server, ...name }: ItemName & { server: string }): string | undefined {
  const own = lock.get(nameText(name))
  if (own?.key !== undefined && serverOf(own) === server) return own.key
  const [key, other] = new Set([...lock.values()].flatMap((one) => (serverOf(one) === server ? (one.key ?? []) : [])))
  if (other === undefined) return key
  throw new RefusedError('key', `guildhall.lock has two keys of ${server}: ${key} and ${other}`)
}

/**
 * Changes the lock file, while no other command changes what is installed. `change` gets the items as they are now, and gives those
 * that it sets, or undefined for those that it takes out.
 */
export async function changeLock(
  home: string,
  change: (items: LockedItems) => Promise<ReadonlyMap<string, LockedItem | undefined>>,
): Promise<void> {
  await mkdir(home, { recursive: true })
  await takingTurns(join(home, `.${LOCK_FILE}.turn`), async () => {
    const before = await readLock(home)
    const items = new Map<string, LockedItem | undefined>([...before, ...(await change(before))])
    const sorted = [...items].filter(([, item]) => item).sort(([one], [other]) => (one < other ? -1 : 1))
    await replaceFile(join(home, LOCK_FILE), textOf(sorted))
  })
}

const textOf = (items: readonly [string, LockedItem | undefined][]) =>
  `${JSON.stringify({ lockfileVersion: 1, items: Object.fromEntries(items) }, null, 2)}\n`

/** Makes a lock file without items, and returns its path. Refuses where there is one. */
export async function createLock(folder: string): Promise<string> {
  const path = join(folder, LOCK_FILE)
  try {
    await writeFile(path, textOf([]), { flag: 'wx' })
  } catch (error) {
    if (isCode(error, 'EEXIST')) throw new RefusedError('exists', `${path} is there already`)
    throw error
  }
  return path
}
