// Names for new things.
import { randomBytes, randomInt, randomUUIDv7 } from 'node:crypto'

/** A UUID of version 7 (RFC 9562, 5.7): sorts by the time it was made. */
export const newId = (): string => randomUUIDv7()

/** 256 random bits in base64url: the value of a session cookie. Only its hash is ever stored. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Six digits for a person to type. */
export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')
