// What differs between the places where this runs. Node has its own cryptography, which is several times as fast and gives its result at once;
// browsers have SHA-256 by sha256.ts and Ed25519 by Web Crypto.
import type * as NodeCrypto from 'node:crypto'
import { concat } from './bytes.ts'
import { Sha256 } from './sha256.ts'

/** Undefined in browsers, and in Node before 20.16. */
const node = globalThis.process?.getBuiltinModule?.('node:crypto')

/** The SHA-256 of some pieces, one after the other. */
export function sha256(...pieces: Uint8Array[]): Uint8Array {
  // Several times as fast as a hash that is fed.
  if (node?.hash)
    return node.hash('sha256', pieces.length === 1 ? (pieces[0] as Uint8Array) : concat(...pieces), 'buffer')
  const hash = new Sha256()
  for (const piece of pieces) hash.update(piece)
  return hash.digest()
}

/** DER before the 32 bytes of a public key (RFC 8410). */
export const SPKI = Uint8Array.of(0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00)
export const KEY_BYTES = 32
const SIGNATURE_BYTES = 64

interface Signature {
  message: Uint8Array
  signature: Uint8Array
  /** 32 bytes. */
  key: Uint8Array
}

/** How an older Node gets it. A module of this name is in no bundle for browsers. */
const NODE_CRYPTO: string = 'node:crypto'

/** Whether an Ed25519 signature (RFC 8032) is by a key. */
export async function isSigned({ message, signature, key }: Signature): Promise<boolean> {
  if (key.length !== KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false
  const own = node ? undefined : await withWebCrypto({ message, signature, key })
  if (own !== undefined) return own
  const { createPublicKey, verify } = node ?? ((await import(NODE_CRYPTO)) as typeof NodeCrypto)
  const publicKey = createPublicKey({ key: concat(SPKI, key) as Buffer, format: 'der', type: 'spki' })
  return verify(null, message, publicKey, signature)
}

/** Undefined where Web Crypto is missing or does not know the algorithm. */
async function withWebCrypto({ message, signature, key }: Signature): Promise<boolean | undefined> {
  const subtle = globalThis.crypto?.subtle
  if (!subtle) return undefined
  try {
    const imported = await subtle.importKey('raw', new Uint8Array(key), 'Ed25519', false, ['verify'])
    return await subtle.verify('Ed25519', imported, new Uint8Array(signature), new Uint8Array(message))
  } catch {
    return undefined
  }
}
