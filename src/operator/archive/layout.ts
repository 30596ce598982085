// What is in an archive, and under which names (docs/spec/formats.md, section 6).
import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { objectFolders } from '../../database/stored.ts'
import { jsonIn } from '../../runtime/json.ts'
import { isObjectKey, isSha256 } from '../../storage/blobs.ts'
import { isKept, type KeptTable } from './dispositions.ts'
import { ArchiveError } from './sealing.ts'

export const HEADER_NAME = 'guildhall.json'
/** A part of a table ends after so many rows, or so many characters. */
export const ROWS_A_PART = 1_000
export const PART_CHARACTERS = 1024 * 1024
/** The last row of a part comes on top. */
export const MOST_PART_BYTES = 256 * 1024 * 1024
export const MOST_HEADER_BYTES = 256 * 1024
/** Objects are pictures and files of runs. */
export const MOST_OBJECT_BYTES = 64 * 1024 * 1024
export const MOST_TYPE_BYTES = 256
/** Rows may be so many times as large as the whole file, and this on top. */
export const MOST_RATIO = 200
export const FREE_BYTES = 64 * 1024 * 1024

export const Header = z.strictObject({
  format: z.literal('guildhall-archive'),
  version: z.literal(1),
  /** When its state was read. */
  at: z.iso.datetime(),
  /** The version of Guildhall that wrote it, and the shape of its database: it is read by a version with the same. */
  server: z.string().max(100),
  migrations: z.array(z.string().max(200)).max(10_000),
  /** The last numbers that were given: they are never given again. */
  numbers: z.strictObject({ thing: z.int().min(0), item: z.int().min(0) }),
})
export type Header = z.infer<typeof Header>

export const partName = (table: KeptTable, part: number): string =>
  `tables/${table}/${String(part).padStart(6, '0')}.jsonl.gz`

export type Entry =
  | { kind: 'part'; table: KeptTable; part: number }
  /** What kind of object the next file is. */
  | { kind: 'type'; key: string }
  | { kind: 'file'; name: string; key: string; sha256?: string }

/** What a name means. Throws where it means nothing. */
export function entryOf(name: string): Entry {
  const [, table = '', part] = name.match(/^tables\/(\w+)\/(\d{6})\.jsonl\.gz$/) ?? []
  if (isKept(table)) return { kind: 'part', table, part: Number(part) }
  const [folder = '', ...rest] = name.split('/')
  const key = rest.join('/')
  if (folder === 'artifacts' && isSha256(key)) return { kind: 'file', name, key, sha256: key }
  if (folder === 'types' && isObjectName(key)) return { kind: 'type', key }
  if (isObjectName(name)) return { kind: 'file', name, key: name }
  throw new ArchiveError(
    `the archive has something that this version does not know: ${JSON.stringify(name.slice(0, 120))}`,
  )
}

const isObjectName = (key: string) =>
  isObjectKey(key) && key.split('/').length === 2 && objectFolders.some((folder) => key.startsWith(`${folder}/`))

export const packRows = (lines: readonly string[]): Buffer => gzipSync(`${lines.join('\n')}\n`)

/** The lines of a part, and how many bytes they have. They are counted before they are taken apart: millions of empty ones would fill memory. */
export function unpackRows(packed: Buffer): { lines: string[]; bytes: number } {
  const { bytes, text } = unpacked(packed)
  if (hasMoreLines(bytes, ROWS_A_PART))
    throw new ArchiveError(`a part of the archive has more than ${ROWS_A_PART} rows`)
  return { lines: text.split('\n').slice(0, -1), bytes: bytes.length }
}

function unpacked(packed: Buffer): { bytes: Buffer; text: string } {
  try {
    const bytes = gunzipSync(packed, { maxOutputLength: MOST_PART_BYTES })
    return { bytes, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch (error) {
    throw new ArchiveError('a part of the archive cannot be unpacked, or is too large', { cause: error })
  }
}

function hasMoreLines(bytes: Buffer, most: number): boolean {
  let count = 0
  for (let at = bytes.indexOf('\n'); at !== -1; at = bytes.indexOf('\n', at + 1)) if (++count > most) return true
  return false
}

export function readHeader(bytes: Buffer): Header {
  const header = Header.safeParse(jsonIn(bytes.toString()))
  if (header.success) return header.data
  throw new ArchiveError('this is no archive of an instance, or one of a later version of the format')
}
