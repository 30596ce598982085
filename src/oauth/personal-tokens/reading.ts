// Personal access tokens at the API: looked up by a keyed hash. The key is not in the database.
import type { Dependencies } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import { codeHash } from '../../runtime/hash.ts'
import { outageOf } from '../../runtime/outage.ts'
import * as queries from './queries.ts'
import { USE_SECONDS } from './rules.ts'

/** What a token is stored as. */
export const personalTokenHash = async ({ secretFor }: Pick<Dependencies, 'secretFor'>, token: string) =>
  codeHash(await secretFor('personal tokens'), token)

/** The account of a token that has not expired. */
export async function findPersonalCaller(dependencies: Dependencies, token: string, now: string) {
  const { db } = dependencies
  const found = await queries.findCallerOf(db, await personalTokenHash(dependencies, token))
  if (!found || found.expiresAt <= now) return undefined
  const before = after(now, -USE_SECONDS)
  if (found.lastUsedAt === null || found.lastUsedAt < before) {
    // A read does not wait for a disk that refuses writes.
    await queries.updateLastUse(db, found.tokenId, { now, before }).catch((error: unknown) => {
      if (!outageOf(error)) throw error
    })
  }
  return found
}
