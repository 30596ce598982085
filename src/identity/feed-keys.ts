// The keys in secret addresses of an account: programs that read feeds or install skills cannot sign in. The key of feeds opens feeds alone. That of
// skills reads the library as its account does, and the key of feeds is made of it: one is stored, as its keyed hash, and both end together; who
// has the key of feeds cannot find that of skills.
import { createHash } from 'node:crypto'
import type { Scope } from '../contract/operation.ts'
import type { Db } from '../database/schema.ts'
import type { Dependencies } from '../request/handler.ts'
import { keyedHash } from '../runtime/hash.ts'
import { newToken } from '../runtime/ids.ts'
import * as queries from './feed-key-queries.ts'
import { callerOf } from './sessions.ts'

/** A prefix by which scanners of secrets find it. */
const PREFIX = 'gfeed_'
const FORM = /^gfeed_[\w-]{20,100}$/
const SKILL_PREFIX = 'gskill_'
const SKILL_FORM = /^gskill_[\w-]{43}$/

type Secrets = Pick<Dependencies, 'secretFor'>

const hashOf = async ({ secretFor }: Secrets, key: string) => keyedHash(await secretFor('feed keys'), key)

/** The key of feeds that belongs to a key of skills. */
const feedKeyOf = (skillKey: string) => `${PREFIX}${createHash('sha256').update(skillKey).digest('base64url')}`

/** New keys, and what is stored of them. */
export async function newFeedKey(secrets: Secrets): Promise<{ key: string; skillKey: string; hash: string }> {
  const skillKey = `${SKILL_PREFIX}${newToken()}`
  const key = feedKeyOf(skillKey)
  return { key, skillKey, hash: await hashOf(secrets, key) }
}

/** Finds the account of a key of feeds; undefined for one that has ended, or never was. */
export const feedKeys = (stored: KeySource) => async (key: string) =>
  FORM.test(key) ? callerBy(stored, key, { scopes: [], clientId: 'feeds' }) : undefined

/** The same by a key of skills, which reads what a token with the scope of the library reads. */
export const skillKeys = (stored: KeySource) => async (key: string) =>
  SKILL_FORM.test(key) ? callerBy(stored, feedKeyOf(key), { scopes: ['library:read'], clientId: 'skills' }) : undefined

type KeySource = Secrets & { db: Db }

async function callerBy({ db, secretFor }: KeySource, key: string, via: { scopes: Scope[]; clientId: string }) {
  const account = await queries.findFeedCaller(db, await hashOf({ secretFor }, key))
  return (
    account && {
      caller: callerOf(account, { ...via, grantId: null }),
      blocked: account.blockedAt !== null,
      leaving: account.deletionAt !== null,
    }
  )
}
