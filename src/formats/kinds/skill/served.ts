// What a host checks a skill against that a server shows it (MCP Skills extension, SEP-2640): the hash of each file, and the frontmatter as JSON. It
// is found when a version is published, so that a list of skills opens no archive.
import { createHash } from 'node:crypto'
import { parseDocument } from 'yaml'
import { MAX_MESSAGE_BYTES } from '../../../contract/sizes.ts'
import type { ArchiveEntry } from '../../archive-entry.ts'
import { frontmatterOf, MAX_COMPATIBILITY, MAX_DESCRIPTION, type Skill } from './frontmatter.ts'

/** What every host takes (SEP-2640, Limits); a file is read in one message. */
const MAX_FILES = 512
const MAX_BYTES = 16 * 1024 * 1024
/** As JSON; a list has it of every skill. */
const MAX_FRONTMATTER_BYTES = 16 * 1024

/** Whether a skill of these files can be shown file by file. */
export const isServable = (files: readonly Pick<ArchiveEntry, 'size'>[]): boolean =>
  files.length <= MAX_FILES &&
  files.every(({ size }) => size <= MAX_MESSAGE_BYTES) &&
  files.reduce((sum, { size }) => sum + size, 0) <= MAX_BYTES

/** Hashes what an archive holds while it is read. */
export class Digests {
  readonly #hashes = new Map<string, ReturnType<typeof createHash>>()

  add(path: string, chunk: Buffer): void {
    this.#of(path).update(chunk)
  }

  /** SHA-256 in hex, of an empty file too. */
  of(path: string): string {
    return this.#of(path).copy().digest('hex')
  }

  #of(path: string) {
    const hash = this.#hashes.get(path) ?? createHash('sha256')
    this.#hashes.set(path, hash)
    return hash
  }
}

/**
 * The frontmatter with the types of YAML's core schema (1.2, 10.3), as hosts read it; undefined where they refuse it, or JSON
 * cannot say it.
 */
export function frontmatterValues(text: string, { name }: Pick<Skill, 'name'>): Record<string, unknown> | undefined {
  const document = parseDocument(frontmatterOf(text).yaml, { schema: 'core' })
  if (document.errors.length > 0) return undefined
  const values = document.toJS({ maxAliasCount: 0 }) as Record<string, unknown>
  const { description, compatibility = '-', metadata = {} } = values
  // One entry that breaks the format spoils a whole list for a host: `version: 1.2` in `metadata` is a number there.
  const isText = values['name'] === name && isTextOf(description, MAX_DESCRIPTION)
  const isKept = isText && isTextOf(compatibility, MAX_COMPATIBILITY) && isTextMap(metadata)
  if (!isKept || !isJson(values)) return undefined
  return Buffer.byteLength(JSON.stringify(values)) <= MAX_FRONTMATTER_BYTES ? values : undefined
}

const isTextOf = (value: unknown, most: number) =>
  typeof value === 'string' && value !== '' && [...value].length <= most

const isTextMap = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((one) => typeof one === 'string')

function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint'
  return Object.values(value).every(isJson)
}
