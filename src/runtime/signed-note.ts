// Signed notes (c2sp.org/signed-note), checkpoints in them (c2sp.org/tlog-checkpoint) and cosignatures of witnesses
// (c2sp.org/tlog-cosignature): all with Ed25519.
import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'

/** The types of signatures, as their identifiers in a key. */
const ED25519 = 1
const COSIGNATURE = 4
const ID_BYTES = 4
const KEY_BYTES = 32
const TIME_BYTES = 8
const SIGNATURE_BYTES = 64

/** The public half of a key that signs notes. */
export interface NoteKey {
  name: string
  /** The first four bytes of a hash over name, type and key. */
  id: Buffer
  type: number
  key: Buffer
}

export interface NoteSigner extends NoteKey {
  privateKey: KeyObject
}

const idOf = (name: string, type: number, key: Buffer) =>
  hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(type), key]), 'buffer').subarray(0, ID_BYTES)

/** DER around the 32 bytes of an Ed25519 key (RFC 8410). */
const PRIVATE = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC = Buffer.from('302a300506032b6570032100', 'hex')

export const publicKeyOf = (key: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([PUBLIC, key]), format: 'der', type: 'spki' })

/** The signer with these 32 secret bytes (RFC 8032). */
export function signerOf(name: string, seed: Buffer, type: number = ED25519): NoteSigner {
  const privateKey = createPrivateKey({ key: Buffer.concat([PRIVATE, seed]), format: 'der', type: 'pkcs8' })
  const key = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(PUBLIC.length)
  return { name, id: idOf(name, type, key), type, key, privateKey }
}

/** A signer of cosignatures: what a witness has. */
export const witnessOf = (name: string, seed: Buffer): NoteSigner => signerOf(name, seed, COSIGNATURE)

/** `name+id+key`, as keys of notes are written. */
export const vkeyOf = ({ name, id, type, key }: NoteKey): string =>
  `${name}+${id.toString('hex')}+${Buffer.concat([Buffer.of(type), key]).toString('base64')}`

/** Reads `name+id+key`; undefined where the parts do not belong together or the type is another. */
export function parseVkey(text: string, type: number): NoteKey | undefined {
  const [, name = '', id, encoded = ''] = text.match(/^([^\s+]+)\+([0-9a-f]{8})\+([\w+/]+={0,2})$/) ?? []
  const bytes = Buffer.from(encoded, 'base64')
  const key = bytes.subarray(1)
  if (bytes[0] !== type || key.length !== KEY_BYTES) return undefined
  const known = { name, id: idOf(name, type, key), type, key }
  return known.id.toString('hex') === id ? known : undefined
}

/** The keys of witnesses in a text, separated by spaces or commas; undefined when one of them is none. */
export function parseWitnessKeys(text: string): NoteKey[] | undefined {
  const keys = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => parseVkey(part, COSIGNATURE))
  return keys.every((key) => key !== undefined) ? keys : undefined
}

const lineOf = (name: string, bytes: Buffer) => `— ${name} ${bytes.toString('base64')}\n`

/** The note with the signature of its text, which ends with a line feed. */
export function signNote(text: string, { name, id, privateKey }: NoteSigner): string {
  return `${text}\n${lineOf(name, Buffer.concat([id, sign(null, Buffer.from(text), privateKey)]))}`
}

const cosigned = (text: string, time: bigint) => Buffer.from(`cosignature/v1\ntime ${time}\n${text}`)

/** The line of a witness for a checkpoint whose text this is, at a time in seconds since 1970. */
export function cosign(text: string, { name, id, privateKey }: NoteSigner, seconds: number): string {
  const time = Buffer.alloc(TIME_BYTES)
  time.writeBigUInt64BE(BigInt(seconds))
  const signature = sign(null, cosigned(text, BigInt(seconds)), privateKey)
  return lineOf(name, Buffer.concat([id, time, signature]))
}

export interface NoteSignature {
  name: string
  id: string
  bytes: Buffer
  /** As it is in the note, with the line feed. */
  line: string
}

/** A note as its text and its signatures; undefined where it is none. The signatures are not verified. */
export function parseNote(note: string): { text: string; signatures: NoteSignature[] } | undefined {
  const end = note.lastIndexOf('\n\n')
  if (end < 0) return undefined
  const text = note.slice(0, end + 1)
  const signatures = note
    .slice(end + 2)
    .match(/[^\n]*\n/g)
    ?.map(parseSignature)
  return signatures?.every((signature) => signature !== undefined) && note.endsWith('\n')
    ? { text, signatures }
    : undefined
}

function parseSignature(line: string): NoteSignature | undefined {
  const [, name, encoded = ''] = line.match(/^— ([^\s+]+) ([\w+/]+={0,2})\n$/) ?? []
  const bytes = Buffer.from(encoded, 'base64')
  if (name === undefined || bytes.length <= ID_BYTES) return undefined
  return { name, id: bytes.toString('hex', 0, ID_BYTES), bytes: bytes.subarray(ID_BYTES), line }
}

/** Whether a signature of a note is by this key: a cosignature where the key is that of a witness. */
export function isSignedBy(text: string, { name, id, bytes }: NoteSignature, key: NoteKey): boolean {
  if (name !== key.name || id !== key.id.toString('hex')) return false
  const time = key.type === COSIGNATURE ? TIME_BYTES : 0
  if (bytes.length !== time + SIGNATURE_BYTES) return false
  const message = key.type === COSIGNATURE ? cosigned(text, bytes.readBigUInt64BE()) : Buffer.from(text)
  return verify(null, message, publicKeyOf(key.key), bytes.subarray(time))
}

export interface Head {
  origin: string
  size: number
  root: Buffer
}

/** The text of a checkpoint. */
export const checkpointText = ({ origin, size, root }: Head): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`
