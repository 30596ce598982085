// Encryption of what is stored: AES-256-GCM under a key that is stored elsewhere.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const OPTIONS = { authTagLength: TAG_BYTES }

/**
 * Encrypts bytes under 32 secret bytes; the result begins with its nonce. It can only be opened under the same name, so that it
 * cannot take the place of another.
 */
export function sealBytes(key: Buffer, bytes: Uint8Array, name = ''): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, OPTIONS).setAAD(Buffer.from(name))
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts bytes; throws when they were encrypted under another key or name, or were changed. */
export function unsealBytes(key: Buffer, sealed: Uint8Array, name = ''): Buffer {
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), OPTIONS).setAAD(Buffer.from(name))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
}

/** The same of text, in base64url. */
export const seal = (key: Buffer, text: string): string => sealBytes(key, Buffer.from(text)).toString('base64url')

/** Decrypts text; throws as `unsealBytes` does. */
export const unseal = (key: Buffer, sealed: string): string =>
  unsealBytes(key, Buffer.from(sealed, 'base64url')).toString()
