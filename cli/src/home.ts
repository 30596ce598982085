// Where installed items are: beside a guildhall.lock of the project, otherwise below GUILDHALL_HOME, each in a folder of its own, as the file
// that was published.
import { lstatSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { factsOf, type ItemKind, itemKinds, listNameOf } from '../../src/contract/item-kinds.ts'
import type { Context } from './command.ts'

const kinds: Readonly<Record<string, ItemKind>> = Object.fromEntries(
  itemKinds.flatMap((kind) => [
    [kind, kind],
    [listNameOf(kind), kind],
  ]),
)

/** An item as the command line and the lock file name it. Its slug can be a file name on every system. */
export interface ItemName {
  kind: ItemKind
  slug: string
}

/** The letters of slugs: those of names, and of the ids of automations (docs/spec/formats.md, section 2). */
const SLUG = /^[a-z0-9](?:[a-z0-9._-]{0,198}[a-z0-9_-])?$/

/** `workflow/morning-digest`, or undefined. */
export function readName(text: string): ItemName | undefined {
  const [, kind = '', slug = ''] = text.match(/^([a-z-]+)\/([^/]+)$/) ?? []
  const known = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  return known && SLUG.test(slug) ? { kind: known, slug } : undefined
}

export const nameText = ({ kind, slug }: ItemName): string => `${kind}/${slug}`

/** A name and which version of it: `latest` unless told. */
export interface Spec extends ItemName {
  range: string
  /** Of the item, where it was named by that. */
  id?: string
}

export const LOCK_FILE = 'guildhall.lock'

/**
 * The folder that everything is installed below: GUILDHALL_HOME, or the folder of the project, or where the system keeps data of
 * programs.
 */
export function homeOf({ environment, folder }: Pick<Context, 'environment' | 'folder'>): string {
  const own = environment['GUILDHALL_HOME'] || projectOf(folder)
  if (own) return own
  const user = environment['HOME'] ?? homedir()
  if (process.platform === 'darwin') return join(user, 'Library/Application Support/guildhall')
  if (process.platform === 'win32') return join(environment['LOCALAPPDATA'] ?? join(user, 'AppData/Local'), 'guildhall')
  return join(environment['XDG_DATA_HOME'] || join(user, '.local/share'), 'guildhall')
}

/** The nearest folder with a lock, from this one upwards. */
function projectOf(folder: string): string | undefined {
  const here = resolve(folder)
  for (let at = here; ; at = dirname(at)) {
    if (isLock(at, at === here)) return at
    if (at === dirname(at)) return undefined
  }
}

/** Whether what is installed below a folder belongs to the project in it. */
export const isProject = (home: string): boolean => isLock(home, true)

/** A lock that another user put above the folder, such as in /tmp, is not meant: it would say which keys are trusted. */
function isLock(folder: string, isHere: boolean): boolean {
  try {
    const found = lstatSync(join(folder, LOCK_FILE))
    return found.isFile() && (isHere || process.getuid === undefined || found.uid === process.getuid())
  } catch {
    return false
  }
}

/** The file of an item. A package stays as it is: its hash, its checksums and its signature hold, and nothing is unpacked. */
export const pathOf = (home: string, { kind, slug }: ItemName): string =>
  join(home, listNameOf(kind), slug, keptName({ kind, slug }))

/** What the file of an item is called where it is kept. */
export const keptName = ({ kind, slug }: ItemName): string => `${slug}.${factsOf(kind).ending}`
