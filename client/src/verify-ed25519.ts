// Ed25519 (RFC 8032): Web Crypto where it has it, otherwise node:crypto, as in Node 18.
import type * as NodeCrypto from 'node:crypto'

/** DER before the 32 bytes of a public key (RFC 8410). */
const SPKI = Uint8Array.of(0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00)
const KEY_BYTES = 32
const SIGNATURE_BYTES = 64

export interface Signature {
  message: Uint8Array
  signature: Uint8Array
  /** 32 bytes. */
  key: Uint8Array
}

/** A module of this name is in no bundle for browsers. */
const NODE_CRYPTO: string = 'node:crypto'

/** Whether a signature is by a key. */
export async function isSigned({ message, signature, key }: Signature): Promise<boolean> {
  if (key.length !== KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false
  const own = await withWebCrypto({ message, signature, key })
  if (own !== undefined) return own
  const { createPublicKey, verify } = (await import(NODE_CRYPTO)) as typeof NodeCrypto
  const der = new Uint8Array([...SPKI, ...key])
  const publicKey = createPublicKey({ key: der as Buffer, format: 'der', type: 'spki' })
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
