// Rules for apps with a secret, without input or output.
import type { SecretClientTable } from '../../database/schema.ts'
import { sameHash } from '../../runtime/hash.ts'

export const MAX_SECRET_CLIENTS = 50
export const USUAL_OVERLAP_HOURS = 24
export const MAX_OVERLAP_HOURS = 7 * 24

type Secrets = Pick<SecretClientTable, 'hash' | 'formerHash' | 'formerUntil'>

/** Whether a hash is of a secret that is good now. Both are compared always, so that the time tells of none. */
export function isGoodHash({ hash, formerHash, formerUntil }: Secrets, given: string, now: string): boolean {
  const [isCurrent, isFormer] = [sameHash(hash, given), sameHash(formerHash ?? '', given)]
  return isCurrent || (isFormer && formerUntil !== null && formerUntil > now)
}

/** The secrets of an app after a new one was made: the one before it stays for a time, or ends at once. */
export const rotated = (
  { hash: formerHash }: Secrets,
  { hash, formerUntil, now }: { hash: string; formerUntil: string; now: string },
) => ({
  ...{ hash, secretAt: now },
  ...(formerUntil > now ? { formerHash, formerUntil } : { formerHash: null, formerUntil: null }),
})
