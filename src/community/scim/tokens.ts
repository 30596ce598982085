// Tokens of providers: made by admins, shown once, kept as keyed hashes.
import { record } from '../../audit/audit.ts'
import { addressKey, countTry } from '../../budgets/budgets.ts'
import { Problem } from '../../contract/problem.ts'
import { lockName } from '../../database/engine.ts'
import type { Transaction } from '../../database/schema.ts'
import * as queries from '../../identity/scim-queries.ts'
import type { EndpointRequest } from '../../request/endpoint.ts'
import type { Dependencies } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import { keyedHash } from '../../runtime/hash.ts'
import { newId, newToken } from '../../runtime/ids.ts'
import { outageOf } from '../../runtime/outage.ts'
import { MAX_TOKENS, scimActions } from './contract.ts'
import { ScimError } from './messages.ts'

const FORM = /^gscim_[\w-]{20,100}$/
const USE_SECONDS = 3_600
const REQUESTS = { tries: 60_000, windowSeconds: 3_600 }
const WRONG_TOKENS = { tries: 60, windowSeconds: 900 }

type Secrets = Pick<Dependencies, 'secretFor'>

const hashOf = async ({ secretFor }: Secrets, token: string) => keyedHash(await secretFor('scim tokens'), token)

/** A new token, and what is stored of it. */
export async function newScimToken(secrets: Secrets): Promise<{ token: string; hash: string }> {
  const token = `gscim_${newToken()}`
  return { token, hash: await hashOf(secrets, token) }
}

interface NewToken {
  name: string
  hash: string
  actorId: string | null
  now: string
  address?: string
}

/** Stores a token; throws `conflict` where there are too many. */
export async function storeToken(db: Transaction, { name, hash, actorId, now, address }: NewToken) {
  await lockName(db, 'scim tokens')
  if ((await queries.listScimTokens(db)).length >= MAX_TOKENS)
    throw new Problem('conflict', `There are at most ${MAX_TOKENS} tokens; revoke one first`)
  const token = { id: newId(), name, createdAt: now, lastUsedAt: null }
  await queries.insertScimToken(db, { ...token, hash })
  const act = { action: scimActions.create, actorId, targetId: token.id, detail: { name } }
  await record(db, now, { ...act, ...(address !== undefined && { address }) })
  return token
}

/** Throws where the request has no token that is good. Wrong ones are counted, by network. */
export async function requireToken(dependencies: Dependencies, { request, now, address }: EndpointRequest) {
  const { db, config } = dependencies
  const token = /^bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  const found = FORM.test(token) ? await queries.findScimToken(db, await hashOf(dependencies, token)) : undefined
  if (!found) {
    if (config.rateLimits) await countTry(db, { key: `scim wrong ${addressKey(address)}`, limit: WRONG_TOKENS, now })
    throw new ScimError(401, 'Send a token that an admin made for SCIM, as a bearer token')
  }
  const { id } = found
  if (config.rateLimits) await countTry(db, { key: `scim ${id}`, limit: REQUESTS, now })
  const before = after(now, -USE_SECONDS)
  if ((found.lastUsedAt ?? '') >= before) return
  // A read does not wait for a disk that refuses writes.
  await queries.updateScimTokenUse(db, { id, now, before }).catch((error: unknown) => {
    if (!outageOf(error)) throw error
  })
}
