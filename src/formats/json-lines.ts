// Line numbers of the values in a JSON text, and duplicate names of an object.
import { JsonTokens, type Token } from './json-tokens.ts'

interface PathNode {
  line?: number
  inner: Map<string, PathNode>
}

/** The object or array around the current token, and its path. */
interface Container {
  wanted: PathNode | undefined
  /** The names of an object so far; undefined in an array, which counts instead. */
  names: Set<string> | undefined
  next: string
  index: number
}

export interface JsonLines {
  /** The line of each dotted path; of one that is not there, the line of what it would be in. */
  lines: Map<string, number>
  /** Duplicate names of an object with at most 10,000 names. */
  repeated: { name: string; line: number }[]
}

const MAX_NAMES = 10_000
const NEWLINE = 10

/**
 * @param bytes a JSON text
 * @param paths dotted, as a FormatError names a field: `roles.0.id`
 * @throws FormatError where the text stops being JSON
 */
export function jsonLines(bytes: Buffer, paths: readonly string[]): JsonLines {
  const root = wantedOf(paths)
  const tokens = new JsonTokens(bytes)
  const lineAt = lineCounter(bytes)
  const open: Container[] = []
  const repeated: JsonLines['repeated'] = []
  const enter = (token: Token) => {
    const holder = open.at(-1)
    const key = holder === undefined ? '' : holder.names ? holder.next : String(holder.index++)
    const wanted = holder === undefined ? root : holder.wanted?.inner.get(key)
    if (wanted) wanted.line = lineAt(tokens.start)
    if (token === '{' || token === '[') {
      open.push({ wanted, names: token === '{' ? new Set() : undefined, next: '', index: 0 })
    }
  }
  for (let token = tokens.next(); token !== 'end'; token = tokens.next()) {
    const holder = open.at(-1)
    if (token === '}' || token === ']') open.pop()
    else if (token === 'key' && holder?.names) {
      holder.next = tokens.text()
      if (holder.names.has(holder.next)) repeated.push({ name: holder.next, line: lineAt(tokens.start) })
      else if (holder.names.size < MAX_NAMES) holder.names.add(holder.next)
    } else enter(token)
  }
  return { lines: new Map(paths.map((path) => [path, nearestLine(root, path)])), repeated }
}

/** The line where a JSON text stops being valid; undefined for a valid text. */
export function brokenLine(bytes: Buffer): number | undefined {
  const tokens = new JsonTokens(bytes)
  try {
    while (tokens.next() !== 'end');
    return undefined
  } catch {
    return lineCounter(bytes)(Math.min(tokens.end, bytes.length))
  }
}

function wantedOf(paths: readonly string[]): PathNode {
  const root: PathNode = { inner: new Map() }
  for (const path of paths) {
    let at = root
    for (const segment of path.split('.')) {
      const next = at.inner.get(segment) ?? { inner: new Map() }
      at.inner.set(segment, next)
      at = next
    }
  }
  return root
}

function nearestLine(root: PathNode, path: string): number {
  let at: PathNode | undefined = root
  let line = 1
  for (const segment of path.split('.')) {
    at = at?.inner.get(segment)
    if (at?.line === undefined) break
    line = at.line
  }
  return line
}

/** Continues from the last position, because positions only increase. */
function lineCounter(bytes: Buffer): (at: number) => number {
  let [from, line] = [0, 1]
  return (at) => {
    for (; from < at; from++) if (bytes[from] === NEWLINE) line++
    return line
  }
}
