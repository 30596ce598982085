// Signed notes (c2sp.org/signed-note) and cosignatures of witnesses (c2sp.org/tlog-cosignature), with Ed25519.
import { concat, fromBase64, toBase64, toHex, utf8 } from './bytes.ts'
import { isSigned, KEY_BYTES, sha256 } from './platform.ts'

/** The types of signatures, as their identifiers in a key. */
export const ED25519 = 1
export const COSIGNATURE = 4
const ID_BYTES = 4
export const TIME_BYTES = 8

/** The public half of a key that signs notes. */
export interface NoteKey {
  name: string
  /** The first four bytes of a hash over name, type and key, in hex. */
  id: string
  type: number
  key: Uint8Array
}

/** The key with its id. */
export function noteKey(name: string, type: number, key: Uint8Array): NoteKey {
  const hash = sha256(utf8(`${name}\n`), Uint8Array.of(type), key)
  return { name, id: toHex(hash.subarray(0, ID_BYTES)), type, key }
}

/** `name+id+key`, as keys of notes are written. */
export const vkeyOf = ({ name, id, type, key }: NoteKey): string =>
  `${name}+${id}+${toBase64(concat(Uint8Array.of(type), key))}`

/** Reads `name+id+key`; undefined where its parts do not belong together. */
export function parseVkey(text: string): NoteKey | undefined {
  const [, name = '', id, encoded = ''] = text.trim().match(/^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/) ?? []
  const bytes = fromBase64(encoded)
  if (bytes?.length !== 1 + KEY_BYTES) return undefined
  const known = noteKey(name, bytes[0] as number, bytes.subarray(1))
  return known.id === id ? known : undefined
}

/** The keys of witnesses in a text, separated by spaces or commas; undefined when one of them is none. */
export function parseWitnessKeys(text: string): NoteKey[] | undefined {
  const keys = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(parseVkey)
  return keys.every((key) => key?.type === COSIGNATURE) ? (keys as NoteKey[]) : undefined
}

/** What a witness signs of the text of a checkpoint, at a time in seconds since 1970. */
export const cosigned = (text: string, time: bigint) => utf8(`cosignature/v1\ntime ${time}\n${text}`)

export interface NoteSignature {
  name: string
  id: string
  bytes: Uint8Array
}

/** A text and what signs it. The signatures are not verified. */
export interface Note {
  text: string
  signatures: NoteSignature[]
}

/** A note as its text and the lines below; undefined where it is none. */
export function splitNote(note: string): { text: string; lines: string[] } | undefined {
  const end = note.lastIndexOf('\n\n')
  return end < 0 ? undefined : { text: note.slice(0, end + 1), lines: note.slice(end + 2).split('\n') }
}

/** A note whose every line below the text is a signature; undefined where it is none. */
export function parseNote(note: string): Note | undefined {
  const { text = '', lines = [] } = splitNote(note) ?? {}
  const signatures = lines.slice(0, -1).map(parseSignature)
  const isWhole = lines.at(-1) === '' && signatures.length > 0
  return isWhole && signatures.every((one) => one !== undefined) ? { text, signatures } : undefined
}

/** A line below a note; undefined where it is no signature. */
export function parseSignature(line: string): NoteSignature | undefined {
  const [, name, encoded = ''] = line.match(/^— ([^\s+]+) (\S+)$/) ?? []
  const bytes = fromBase64(encoded)
  if (name === undefined || !bytes || bytes.length <= ID_BYTES) return undefined
  return { name, id: toHex(bytes.subarray(0, ID_BYTES)), bytes: bytes.subarray(ID_BYTES) }
}

/** Whether a note has a signature by this key: a cosignature where the key is that of a witness. */
export async function isNoteSigned({ text, signatures }: Note, key: NoteKey): Promise<boolean> {
  for (const signature of signatures) if (await isSignedBy(text, signature, key)) return true
  return false
}

async function isSignedBy(text: string, { name, id, bytes }: NoteSignature, { key, ...by }: NoteKey) {
  if (name !== by.name || id !== by.id) return false
  if (by.type === ED25519) return isSigned({ message: utf8(text), signature: bytes, key })
  if (by.type !== COSIGNATURE || bytes.length <= TIME_BYTES) return false
  const time = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0)
  return isSigned({ message: cosigned(text, time), signature: bytes.subarray(TIME_BYTES), key })
}
