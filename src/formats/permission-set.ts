// The permissions that were found in a file, each once, and bounded: what is too much or too long to name becomes "any".
// Part of permissions.ts, which the command line bundles: nothing here uses an API of Node.

export const permissionTypes = [
  'connector',
  'download',
  'model',
  'schedule',
  'script',
  'secret',
  'site',
  'step',
] as const
export type PermissionType = (typeof permissionTypes)[number]

/** Something that a version may do or use. The name `any <type>` means all of a type. */
export interface Permission {
  type: PermissionType
  name: string
}

/** A type with more names than this is `any`. */
const MAX_NAMES = 200
/** Characters; a longer name is `any`, because two long ones could differ where no reader looks. */
const MAX_NAME_LENGTH = 200
/** A file with more values than this is not read to its end. */
export const MAX_VALUES = 300_000
/** A file with more URLs than this has any site. */
export const MAX_URLS = 100_000

const WILDCARD = /^(?:\*+|any|all|<all_urls>)$/i
/** A value that is known only when it runs: `{{x}}`, `${x}`, `{x}`, `<%= x %>`, `$X`, `%X%`. */
const TEMPLATE = /\{\{|\$\{|\$\(|\{[\w$.]+\}|<%|^\$\w|%\w+%/

/** The name for all of a type. */
export const anyOf = (type: PermissionType): string => `any ${type}`

/** Whether a text is put together when it runs. */
export const isTemplate = (text: string): boolean => TEMPLATE.test(text)

/** What may do anything, because it could not be read. */
export const anything: readonly Permission[] = permissionTypes.map((type) => ({ type, name: anyOf(type) }))

export class PermissionSet {
  readonly #names = new Map<PermissionType, Set<string>>(permissionTypes.map((type) => [type, new Set()]))
  readonly #tooMany = new Set<PermissionType>()
  #values = 0
  #urls = 0
  readonly #seen = new Set<string>()

  /** Adds a name as it is shown; a wildcard, a template and a name that is too long are `any`. */
  add(type: PermissionType, given: string): void {
    const name = shown(given.trim())
    const isAny = name === '' || name.length > MAX_NAME_LENGTH || WILDCARD.test(name) || isTemplate(name)
    this.#insert(type, isAny ? anyOf(type) : name)
  }

  /** Adds a text that is meant as it is, where `$X` and `{x}` are no templates: a command, a site. */
  addExactly(type: PermissionType, given: string): void {
    const name = shown(given.trim())
    this.#insert(type, name === '' || name.length > MAX_NAME_LENGTH ? anyOf(type) : name)
  }

  addAny(...types: PermissionType[]): void {
    for (const type of types) this.#insert(type, anyOf(type))
  }

  /** Adds the names of a list that a file declares: what is no name makes it `any`, and nothing is left out. */
  addDeclared(type: PermissionType, value: unknown, prefix = ''): void {
    if (value === undefined || value === null || value === false) return
    if (typeof value === 'string') this.#addPrefixed(type, value, prefix)
    else if (Array.isArray(value)) for (const entry of value) this.#addEntry(type, entry, prefix)
    else if (isObject(value)) for (const key of Object.keys(value)) this.#addPrefixed(type, key, prefix)
    else if (prefix === '') this.addAny(type)
    else this.addExactly(type, prefix)
  }

  /** Counts one more value of the file; false when there are too many, and then everything is `any`. */
  visit(): boolean {
    this.#values += 1
    if (this.#values <= MAX_VALUES) return true
    this.addAny(...permissionTypes)
    return false
  }

  /** Counts one more URL; `done` when there are too many to read, `known` when the same was read before. */
  visitUrl(start: string): 'new' | 'known' | 'done' {
    this.#urls += 1
    if (this.#urls > MAX_URLS) {
      this.addAny('site')
      return 'done'
    }
    if (this.#seen.has(start)) return 'known'
    this.#seen.add(start)
    return 'new'
  }

  /** Sorted by type, then by name. */
  sorted(): Permission[] {
    return permissionTypes.flatMap((type) => [...(this.#names.get(type) ?? [])].sort().map((name) => ({ type, name })))
  }

  #addEntry(type: PermissionType, entry: unknown, prefix: string): void {
    const name = isObject(entry) ? (entry['name'] ?? entry['id'] ?? entry['type']) : entry
    if (typeof name === 'string') this.#addPrefixed(type, name, prefix)
    else this.addAny(type)
  }

  #addPrefixed(type: PermissionType, name: string, prefix: string): void {
    if (prefix === '') this.add(type, name)
    else this.addExactly(type, `${prefix} ${name}`)
  }

  #insert(type: PermissionType, name: string): void {
    const names = this.#names.get(type) ?? new Set()
    if (!this.#tooMany.has(type)) names.add(name)
    else names.add(widest(type, name))
    if (names.size <= MAX_NAMES) return
    this.#tooMany.add(type)
    this.#names.set(type, new Set([...names].map((one) => widest(type, one))))
  }
}

/** Permissions of roles that `any step` does not include: a policy holds each back by itself. */
const GROUP = /^(?:git|read file|write file|without asking|policy tier|workspace) /

/** The first words of a name that `any step` does not include; `''` for other names. */
export const groupOf = ({ type, name }: Permission): string => (type === 'step' ? (name.match(GROUP)?.[0] ?? '') : '')

/** The name that includes a name and all like it. */
function widest(type: PermissionType, name: string): string {
  const group = groupOf({ type, name })
  return group === '' ? anyOf(type) : `${group}*`
}

/** A name without what a screen does not show or shows elsewhere; different texts stay different. */
function shown(text: string): string {
  if (text.length > MAX_NAME_LENGTH) return text
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|<(?=U\+)/gu, (char) => {
    return `<U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`
  })
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
