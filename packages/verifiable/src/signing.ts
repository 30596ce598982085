// Signs notes and checkpoints, in Node alone: a signature is there at once, so that it can be made in a transaction.
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { concat, fromHex, toBase64, utf8 } from './bytes.ts'
import { COSIGNATURE, cosigned, ED25519, type NoteKey, noteKey, TIME_BYTES } from './note.ts'
import { SPKI } from './platform.ts'

/** DER before the 32 secret bytes of a key (RFC 8410). */
const PKCS8 = fromHex('302e020100300506032b657004220420')

export interface NoteSigner extends NoteKey {
  /** The 64 bytes of a signature. */
  sign(message: Uint8Array): Uint8Array
}

/** The signer with these 32 secret bytes (RFC 8032). */
export function signerOf(name: string, seed: Uint8Array, type: number = ED25519): NoteSigner {
  const privateKey = createPrivateKey({ key: concat(PKCS8, seed) as Buffer, format: 'der', type: 'pkcs8' })
  const key = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(SPKI.length)
  return { ...noteKey(name, type, key), sign: (message) => sign(null, message, privateKey) }
}

/** A signer of cosignatures: what a witness has. */
export const witnessOf = (name: string, seed: Uint8Array): NoteSigner => signerOf(name, seed, COSIGNATURE)

const lineOf = (name: string, ...pieces: Uint8Array[]) => `— ${name} ${toBase64(concat(...pieces))}\n`

/** The note with the signature of its text, which ends with a line feed. */
export const signNote = (text: string, { name, id, sign }: NoteSigner): string =>
  `${text}\n${lineOf(name, fromHex(id), sign(utf8(text)))}`

/** The line of a witness for a checkpoint whose text this is, at a time in seconds since 1970. */
export function cosign(text: string, { name, id, sign }: NoteSigner, seconds: number): string {
  const time = new Uint8Array(TIME_BYTES)
  new DataView(time.buffer).setBigUint64(0, BigInt(seconds))
  return lineOf(name, fromHex(id), time, sign(cosigned(text, BigInt(seconds))))
}
