// Where installed items are: below GUILDHALL_HOME, each in a folder of its own, as the file that was published.
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Context } from './command.ts'
import { UsageError } from './usage.ts'

type Environment = Context['environment']
type Kind = 'workflow' | 'automation' | 'org'

const kinds: Readonly<Record<string, Kind>> = {
  workflow: 'workflow',
  workflows: 'workflow',
  automation: 'automation',
  automations: 'automation',
  org: 'org',
  orgs: 'org',
}

/** An item as the command line and the lock file name it. Its slug can be a file name on every system. */
export interface ItemName {
  kind: Kind
  slug: string
}

/** The letters of slugs: those of names, and of the ids of automations (docs/spec/formats.md, section 2). */
const SLUG = /^[a-z0-9](?:[a-z0-9._-]{0,198}[a-z0-9_-])?$/

/** `workflow/morning-digest`, or undefined. */
export function readName(text: string): ItemName | undefined {
  const [, kind = '', slug = ''] = text.match(/^([a-z]+)\/([^/]+)$/) ?? []
  const known = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  return known && SLUG.test(slug) ? { kind: known, slug } : undefined
}

export const nameText = ({ kind, slug }: ItemName): string => `${kind}/${slug}`

/** A name and which version of it: `latest` unless told. */
export interface Spec extends ItemName {
  range: string
}

/** `kind/slug[@version]`. Throws UsageError. */
export function readSpec(text: string): Spec {
  const at = text.indexOf('@')
  const name = readName(at < 0 ? text : text.slice(0, at))
  const range = at < 0 ? 'latest' : text.slice(at + 1).trim()
  if (name && range !== '' && range.length <= 256) return { ...name, range }
  throw new UsageError(
    `${text} names no item: write kind/slug or kind/slug@version, such as workflow/morning-digest@^1.2`,
  )
}

/** The folder that everything is installed below: GUILDHALL_HOME, or where the system keeps data of programs. */
export function homeOf(environment: Environment): string {
  const own = environment['GUILDHALL_HOME']
  if (own) return own
  const user = environment['HOME'] ?? homedir()
  if (process.platform === 'darwin') return join(user, 'Library/Application Support/guildhall')
  if (process.platform === 'win32') return join(environment['LOCALAPPDATA'] ?? join(user, 'AppData/Local'), 'guildhall')
  return join(environment['XDG_DATA_HOME'] || join(user, '.local/share'), 'guildhall')
}

/** The file of an item. A package stays as it is: its hash, its checksums and its signature hold, and nothing is unpacked. */
export const pathOf = (home: string, { kind, slug }: ItemName): string =>
  join(home, `${kind}s`, slug, `${slug}.${kind === 'automation' ? 'mpkg' : 'json'}`)
