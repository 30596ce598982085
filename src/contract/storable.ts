// Which text can be kept: no NUL, which PostgreSQL has no place for, and no half of a surrogate pair, which UTF-8 has none for. And how names and
// titles become one line: they stand in lists, in letters, and beside what we say ourselves (behaviour.md, section 0).

/** Whether a database takes this text. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** The beginning of a text, never half a character. */
export function beginningOf(text: string, length: number): string {
  const part = text.slice(0, length)
  return part.isWellFormed() ? part : part.slice(0, -1)
}

/** What is said of a text that is not. */
export const NOT_STORABLE = 'must be well-formed text without NUL characters'

/**
 * Whether the text of a JSON value gives reason to look into it: NUL and half a surrogate pair come into it escaped, as long as the
 * text itself is well-formed. A whole pair looks alike.
 */
export const mayBeUnstorable = (json: string): boolean => /\\u(?:0000|d[89a-f])/i.test(json)

/**
 * Where in a JSON value there is a text, or a name, that cannot be kept: `tags.0`; undefined where there is none. Goes as deep as
 * the value does, without calling itself.
 */
export function findUnstorable(value: unknown): string | undefined {
  const left: [value: unknown, path: string][] = [[value, '']]
  for (let next = left.pop(); next; next = left.pop()) {
    const [one, path] = next
    if (typeof one === 'string' && !isStorable(one)) return path
    if (typeof one !== 'object' || one === null) continue
    for (const [name, inner] of Object.entries(one)) {
      if (!isStorable(name)) return path
      left.push([inner, path === '' ? name : `${path}.${name}`])
    }
  }
  return undefined
}

/** `field.path: what is wrong`, as `explain` says it. */
export const explainUnstorable = (path: string): string => (path === '' ? NOT_STORABLE : `${path}: ${NOT_STORABLE}`)

/** Embeddings, overrides and isolates of direction. Joiners and marks of direction stay: emoji and Persian are written with them. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g
/** Also spaces, so that a line break with spaces around it becomes one space. */
const BREAKS = /[\p{Cc}\u2028\u2029 ]+/gu

/** The text as one line in NFC: line breaks and controls are one space each, what turns the direction of writing is gone. */
export const oneLine = (given: string): string =>
  given
    .replace(DIRECTIONS, '')
    .replace(BREAKS, (run) => (/^ +$/.test(run) ? run : ' '))
    .normalize('NFC')
