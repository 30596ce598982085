// The key in the addresses of an account's feeds: programs that read feeds cannot sign in. It opens feeds alone, and only its keyed hash is stored.
import type { Db } from '../database/schema.ts'
import type { Dependencies } from '../request/handler.ts'
import { keyedHash } from '../runtime/hash.ts'
import { newToken } from '../runtime/ids.ts'
import * as queries from './feed-key-queries.ts'
import { callerOf } from './sessions.ts'

/** A prefix by which scanners of secrets find it. */
const PREFIX = 'gfeed_'
const FORM = /^gfeed_[\w-]{20,100}$/

type Secrets = Pick<Dependencies, 'secretFor'>

const hashOf = async ({ secretFor }: Secrets, key: string) => keyedHash(await secretFor('feed keys'), key)

/** A new key, and what is stored of it. */
export async function newFeedKey(secrets: Secrets): Promise<{ key: string; hash: string }> {
  const key = `${PREFIX}${newToken()}`
  return { key, hash: await hashOf(secrets, key) }
}

/** Finds the account of a key; undefined for one that has ended, or never was. */
export function feedKeys({ db, secretFor }: Secrets & { db: Db }) {
  return async (key: string) => {
    const account = FORM.test(key) ? await queries.findFeedCaller(db, await hashOf({ secretFor }, key)) : undefined
    return (
      account && {
        caller: callerOf(account, { scopes: [], clientId: 'feeds', grantId: null }),
        blocked: account.blockedAt !== null,
        leaving: account.deletionAt !== null,
      }
    )
  }
}
