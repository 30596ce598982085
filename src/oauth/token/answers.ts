// The answer to a refresh, kept for the client that did not get it. Sealed under a key made of the refresh token itself, so
// that the database alone gives nothing away.
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import { sha256 } from '../../platform/hash.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** A token is 256 random bits: one hash of it makes a key, and the label keeps that key apart from the hash that is stored. */
const keyOf = (token: string) => hash('sha256', `guildhall refresh answer\n${token}`, 'buffer')

export function seal(token: string, answer: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, keyOf(token), nonce)
  return Buffer.concat([nonce, cipher.update(answer, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  )
}

export function unseal(token: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv(CIPHER, keyOf(token), bytes.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}

/** What must be the same for an answer to be given again: client, resource and scope. */
export const requestKey = (clientId: string, resource: string, scope: string): string =>
  sha256([clientId, resource, scope].join('\n'))
