// Checkpoints of a log: signed notes (c2sp.org/signed-note, tlog-checkpoint, tlog-cosignature) with Ed25519.
import { fromBase64, sha256, toHex, utf8 } from './verify-bytes.ts'
import { isSigned } from './verify-ed25519.ts'

const ED25519 = 1
const COSIGNATURE = 4
const ID_BYTES = 4
const TIME_BYTES = 8

export interface NoteKey {
  name: string
  id: string
  type: number
  key: Uint8Array
}

/** Reads `name+id+key`; undefined where its parts do not belong together. */
export function readKey(text: string): NoteKey | undefined {
  const [, name = '', id = '', encoded = ''] = text.trim().match(/^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/) ?? []
  const bytes = fromBase64(encoded)
  if (bytes?.length !== 33) return undefined
  const expected = toHex(sha256(utf8(`${name}\n`), bytes).subarray(0, ID_BYTES))
  return expected === id ? { name, id, type: bytes[0] as number, key: bytes.subarray(1) } : undefined
}

export interface Checkpoint {
  origin: string
  size: number
  root: Uint8Array
  /** What is signed. */
  text: string
  lines: readonly string[]
}

/** Reads a checkpoint; undefined where it is none. Its signatures are not verified. */
export function readCheckpoint(note: string): Checkpoint | undefined {
  const end = note.lastIndexOf('\n\n')
  if (end < 0) return undefined
  const text = note.slice(0, end + 1)
  const [origin = '', size = '', hash = ''] = text.split('\n')
  const root = fromBase64(hash)
  if (origin === '' || !/^(0|[1-9]\d{0,15})$/.test(size) || root?.length !== 32) return undefined
  const lines = note.slice(end + 2).split('\n')
  return { origin, size: Number(size), root, text, lines: lines.filter((line) => line !== '') }
}

/** Whether one of the signatures is by this key: a cosignature if the key is that of a witness. */
export async function isNoteSigned({ text, lines }: Checkpoint, { name, id, type, key }: NoteKey): Promise<boolean> {
  for (const line of lines) {
    const [dash, signer, encoded = ''] = line.split(' ')
    const bytes = fromBase64(encoded)
    if (dash !== '—' || signer !== name || !bytes || toHex(bytes.subarray(0, ID_BYTES)) !== id) continue
    const rest = bytes.subarray(ID_BYTES)
    if (type === ED25519 && (await isSigned({ message: utf8(text), signature: rest, key }))) return true
    if (type === COSIGNATURE && (await isCosigned(text, rest, key))) return true
  }
  return false
}

async function isCosigned(text: string, bytes: Uint8Array, key: Uint8Array): Promise<boolean> {
  if (bytes.length <= TIME_BYTES) return false
  const time = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0)
  const message = utf8(`cosignature/v1\ntime ${time}\n${text}`)
  return isSigned({ message, signature: bytes.subarray(TIME_BYTES), key })
}
