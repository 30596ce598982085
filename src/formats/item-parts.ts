// What a file is made of, for the comparison of two: its files with their hashes, the steps of its actions, its nodes or roles, and
// what it may do. Everything is bounded; the result says what is left out.
import { recordOf } from '../contract/records.ts'
import { textOf } from './file-permissions.ts'
import { jsonOf } from './json-tokens.ts'
import type { Permission } from './permissions.ts'
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

/** A text that is there. */
export const textIn = (value: Record<string, unknown>, key: string): string | undefined =>
  typeof value[key] === 'string' && value[key] !== '' ? value[key] : undefined

const shown = (text: string): string => cut(text, MAX_NAME_LENGTH).replaceAll('\0', '\ufffd').toWellFormed()
export const part = ({ id, name, type, sha256 }: Part): Part => ({ id, name: shown(name), type: shown(type), sha256 })

/** At most so many, each with an id of its own: the second one of an id is another. */
export function bounded<Key extends 'steps' | 'nodes'>(
  key: Key,
  parts: Part[],
): Record<Key, Part[]> & { truncated: boolean } {
  const counts = new Map<string, number>()
  const apart = parts.slice(0, MAX_PARTS).map((one) => {
    const count = (counts.get(one.id) ?? 0) + 1
    counts.set(one.id, count)
    return { ...one, id: `${one.id} ${count}` }
  })
  return { ...recordOf([key], () => apart), truncated: parts.length > MAX_PARTS }
}

/** The text of a small file; undefined for what is none. */
export function comparedText(path: string, bytes: Buffer): string | undefined {
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
