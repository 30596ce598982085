// Whether a request target is canonical (behaviour.md, section 0): one thing has one path, so that what judges a path and what
// follows it mean the same. Everything else is refused before anything looks at it.
import type { Code } from '../../contract/problem.ts'

/** What is wrong with a target, or the plain path that says the same. */
export type Verdict = { code: Extract<Code, 'invalid_request' | 'not_found'>; message: string } | { plain: string }

/** Of nearly every request this is all that is done: segments of plain characters, none of them dots alone, and a plain query. */
const PLAIN =
  /^\/(?:(?!\.\.?(?:[/?]|$))[\w.~!$&'()*+,;=:@-]+\/)*(?:(?!\.\.?(?:\?|$))[\w.~!$&'()*+,;=:@-]+)?(?:\?[!"$&-~]*)?$/

const refused = (message: string): Verdict => ({ code: 'invalid_request', message })

/** undefined for a target that may be routed. `target` is the request line's own, or path and query of a call in process. */
export function judgeTarget(target: string): Verdict | undefined {
  return PLAIN.test(target) ? undefined : judgeSlowly(target)
}

function judgeSlowly(target: string): Verdict | undefined {
  if (!target.startsWith('/')) return refused('The request target must be a path that begins with /')
  if (/[^!-~]|#/.test(target)) return refused('The path holds characters that must be percent-encoded')
  const [path, query = ''] = split(target)
  if (/\\|%5c/i.test(path)) return refused('The path holds a backslash')
  const plain = path.replace(/%([0-9a-f]{2})/gi, plainOf)
  // An encoded slash belongs to its segment; a program that decodes it must not be led to another path.
  const segments = plain.replace(/%2f/gi, '/')
  if (segments.includes('//')) return refused('The path has an empty segment')
  if (/\/\.\.?(?:\/|$)/.test(segments)) return refused('The path has a segment of dots')
  // Text of a thing that cannot be there: it is not found, as any other that is not (behaviour.md, section 0).
  if (/%00|%ed%[ab][0-9a-f]/i.test(path)) return { code: 'not_found', message: 'There is nothing here' }
  if (!isText(path)) return refused('The path is not percent-encoded UTF-8')
  if (query.includes('%') && !isText(query)) return refused('The query is not percent-encoded UTF-8 without NUL')
  return plain === path ? undefined : { plain: plain + target.slice(path.length) }
}

/** The path that a target means, as far as that can be told: for the words of a refusal, never for a route. */
export function meantPath(target: string): string {
  const path = split(target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, ''))[0]
  const plain = path.replace(/%([0-9a-f]{2})/gi, plainOf)
  return URL.parse(plain.replace(/[\\/]+/g, '/'), 'http://path.invalid')?.pathname ?? '/'
}

function split(target: string): [path: string, query?: string] {
  const at = target.indexOf('?')
  return at < 0 ? [target] : [target.slice(0, at), target.slice(at + 1)]
}

/** The character itself where it never needs to be encoded (RFC 3986, 2.3). */
function plainOf(encoded: string, hex: string): string {
  const character = String.fromCharCode(Number.parseInt(hex, 16))
  return /[\w.~-]/.test(character) ? character : encoded
}

function isText(encoded: string): boolean {
  try {
    return !decodeURIComponent(encoded).includes('\0')
  } catch {
    return false
  }
}
