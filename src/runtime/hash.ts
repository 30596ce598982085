// Hashes: of random secrets by SHA-256, of short ones with a key (HMAC-SHA256), and secrets that are derived from others (HKDF).
import { createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto'

/** 32 secret bytes for one purpose, the same in every process of this instance and stored outside the database. */
export type SecretFor = (use: string) => Promise<Buffer>

/** SHA-256 in base64url. For values of 128 random bits and more, which need no salt. */
export const sha256 = (value: string): string => hash('sha256', value, 'base64url')

/** HMAC-SHA256 of texts and bytes, one after the other. */
export function mac(key: Uint8Array | string, ...parts: readonly (Uint8Array | string)[]): Buffer {
  return parts.reduce((sum, part) => sum.update(part), createHmac('sha256', key)).digest()
}

/**
 * Hashes what could be guessed, such as a mailed code, together with its purpose. There are only a million codes, so an unkeyed hash
 * would reveal them: the key is not in the database.
 */
export const keyedHash = (key: Buffer, value: string, ...boundTo: string[]): string =>
  mac(key, [...boundTo, value].join('\n')).toString('base64url')

/** 32 bytes for one use (RFC 5869), which tell nothing of the secret that they are derived from. */
export const derivedSecret = (secret: Uint8Array, use: string, salt: Uint8Array | string = ''): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, use, 32))

/** Compares two hashes without telling where they differ. */
export function sameHash(left: Uint8Array | string, right: Uint8Array | string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
