// Hashes of passwords by argon2id (RFC 9106), in the PHC string format.
import { type Argon2Parameters, argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { sameHash } from './hash.ts'

const argon2Async = promisify(argon2)

const TAG_BYTES = 32

/** Memory in KiB and passes over it. */
export interface PasswordCost {
  memory: number
  passes: number
}

/** The second recommendation of RFC 9106 scaled to a shared server, as OWASP advises: 19 MiB, two passes. */
export const PASSWORD_COST: PasswordCost = { memory: 19_456, passes: 2 }

/** `$argon2id$v=19$m=...,t=...,p=1$salt$tag`. Runs off the event loop. */
export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await argon2Async('argon2id', parameters(password, nonce, cost))
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=1$${base64(nonce)}$${base64(tag)}`
}

/**
 * Whether the password matches the hash. Without a hash (an unknown address, an account without a password) the same work is done and
 * the result is false, so that the time reveals nothing.
 */
export async function passwordMatches(password: string, stored: string | null, cost: PasswordCost): Promise<boolean> {
  const [, , , costs = '', nonce = '', tag = ''] = stored?.split('$') ?? []
  const [memory = cost.memory, passes = cost.passes] = [...costs.matchAll(/[mt]=(\d+)/g)].map((match) =>
    Number(match[1]),
  )
  const salt = stored ? Buffer.from(nonce, 'base64') : randomBytes(16)
  const actual = await argon2Async('argon2id', parameters(password, salt, { memory, passes }))
  return stored !== null && sameHash(actual, Buffer.from(tag, 'base64'))
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

function parameters(message: string, nonce: Buffer, { memory, passes }: PasswordCost): Argon2Parameters {
  return { message: message.normalize('NFKC'), nonce, parallelism: 1, tagLength: TAG_BYTES, memory, passes }
}
