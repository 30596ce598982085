// Hashes of secrets: random ones by SHA-256, short ones with a key, passwords by argon2id (RFC 9106) in the PHC string format.
import { createHmac, hash, timingSafeEqual } from 'node:crypto'

/** 32 secret bytes for one purpose, the same in every process of this instance and stored outside the database. */
export type SecretFor = (use: string) => Promise<Buffer>

/** SHA-256 in base64url. For values of 128 random bits and more, which need no salt. */
export const sha256 = (value: string): string => hash('sha256', value, 'base64url')

/**
 * Hashes a short secret such as a mailed code together with its purpose. There are only a million codes, so an unkeyed hash would
 * reveal them: the key is not in the database.
 */
export const codeHash = (key: Buffer, code: string, ...boundTo: string[]): string =>
  createHmac('sha256', key)
    .update([...boundTo, code].join('\n'))
    .digest('base64url')

/** Compares two hashes without telling where they differ. */
export function sameHash(left: string, right: string): boolean {
  const a = Buffer.from(left)
  const b = Buffer.from(right)
  return a.length === b.length && timingSafeEqual(a, b)
}
