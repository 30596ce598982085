// Addresses in mails to guests: each names a digest and what it is for, and proves that we made it.
import { keyedHash, type SecretFor, sameHash } from '../../runtime/hash.ts'

type Use = 'confirm' | 'unsubscribe'

const proofOf = async (secretFor: SecretFor, use: Use, id: string) =>
  keyedHash(await secretFor('guest digest'), use, id)

export const tokenOf = async (secretFor: SecretFor, use: Use, id: string): Promise<string> =>
  `${use === 'unsubscribe' ? 'guest.' : ''}${id}.${await proofOf(secretFor, use, id)}`

/** The digest of a token; undefined for one that we did not make for this use. */
export async function readToken(secretFor: SecretFor, use: Use, token: string): Promise<string | undefined> {
  const parts = token.split('.')
  if (use === 'unsubscribe' && parts.shift() !== 'guest') return undefined
  const [id = '', proof = '', ...rest] = parts
  return rest.length === 0 && sameHash(proof, await proofOf(secretFor, use, id)) ? id : undefined
}
