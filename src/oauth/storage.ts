// The storage of the authorization server, in our tables. Token values are only looked up by their hash.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { strengthClaims } from '../contract/sign-in-strength.ts'
import type { Db, OauthTokenTable, Transaction } from '../database/schema.ts'
import { plainName } from '../identity/client-name.ts'
import * as queries from '../identity/grant-queries.ts'
import { after, type Clock, timestamp } from '../runtime/clock.ts'
import { sha256 } from '../runtime/hash.ts'
import { parseJson, required } from '../runtime/untyped.ts'
import { endWith } from './bounds.ts'
import { insertProof, PROOF_SECONDS } from './dpop/dpop.ts'
import { epochTime } from './library-time.ts'
import { consumeDeviceCode, findDeviceCode } from './queries.ts'
import { isRefused } from './redirects.ts'
import { JWT_BEARER } from './rules.ts'
import { findSecretClient, SECRET_FOR_LIBRARY, type SecretClient } from './secret-clients/secret-clients.ts'

/** The transaction of the library's calls. */
interface Exchange {
  transaction: Transaction
  /** Whether the authorization request left the redirect URI out; the token request may then, too (RFC 6749, 4.1.3). */
  redirectOmitted: boolean
  /** The bounds of grants that were read in it, by their ids. */
  bounds: Map<string, string | null>
}

const exchanges = new AsyncLocalStorage<Exchange>()

/** Everything the library reads and writes during `run` belongs to the transaction. */
export const within = <T>(
  transaction: Transaction,
  run: () => Promise<T>,
  { redirectOmitted = false } = {},
): Promise<T> => exchanges.run({ transaction, redirectOmitted, bounds: new Map() }, run)

export const inTransaction = (): boolean => exchanges.getStore() !== undefined

/** The transaction the library is called in, or else the pool. */
export const current = (db: Db): Db => exchanges.getStore()?.transaction ?? db

export interface StorageOptions {
  db: Db
  clock: Clock
  agentClientId: string
  agentAudience: string
  /** The library's errors for a grant that is used up, and for a proof that was presented before. */
  alreadyUsed(): Error
  replayed(): Error
}

/** A used code is remembered for a day, so that a second use revokes the grant of the first (RFC 6749, 4.1.2). */
const USED_CODE_SECONDS = 86_400

/** The library requests one adapter per model. */
export function storageFor(options: StorageOptions): (model: string) => Adapter {
  return (model) => storages.get(model)?.(options) ?? nothing
}

const storages = new Map<string, (options: StorageOptions) => Adapter>([
  ['AuthorizationCode', (options) => tokenStorage('code', options)],
  ['AccessToken', (options) => tokenStorage('access', options)],
  ['RefreshToken', (options) => tokenStorage('refresh', options)],
  ['Grant', grantStorage],
  ['Client', clientStorage],
  ['DeviceCode', deviceStorage],
  ['ReplayDetection', proofStorage],
])

// The library's sessions, interactions and pushed requests are not used: our session identifies the user, the address of the consent
// page carries the request, and pushed requests are stored unchanged (par.ts).
const nothing: Adapter = {
  async upsert() {},
  async find() {
    return undefined
  },
  async findByUid() {
    return undefined
  },
  async findByUserCode() {
    return undefined
  },
  async consume() {},
  async destroy() {},
  async revokeByGrantId() {},
}

function tokenStorage(kind: OauthTokenTable['kind'], options: StorageOptions): Adapter {
  const { db, clock, alreadyUsed } = options
  return {
    ...nothing,
    async upsert(value, payload, expiresIn) {
      const now = timestamp(clock.now())
      const { jti: _value, accountId, clientId, grantId, scope, ...rest } = payload
      const more = kind === 'code' && exchanges.getStore()?.redirectOmitted ? { redirectOmitted: true } : {}
      const expiresAt = after(now, required(expiresIn))
      await queries.insertToken(current(db), {
        hash: sha256(value),
        kind,
        grantId: required(grantId),
        userId: required(accountId),
        clientId: required(clientId),
        scope: scope ?? '',
        // The columns contain all of an access token.
        payload: kind === 'access' ? null : JSON.stringify({ ...rest, ...more }),
        createdAt: now,
        consumedAt: null,
        response: null,
        responseFor: null,
        expiresAt: kind === 'access' ? endWith(expiresAt, await boundsOf(db, required(grantId))) : expiresAt,
        keyThumbprint: kind === 'access' ? (typeof payload['jkt'] === 'string' ? payload['jkt'] : null) : null,
      })
    },
    async find(value) {
      const token = await queries.findToken(current(db), { kind, hash: sha256(value) })
      if (token) exchanges.getStore()?.bounds.set(token.grantId, token.bounds)
      return token && payloadOf(token, value, options)
    },
    async consume(value) {
      const now = timestamp(clock.now())
      if (!(await queries.consumeToken(current(db), sha256(value), now))) throw alreadyUsed()
      if (kind === 'code') await queries.updateTokenExpiry(current(db), sha256(value), after(now, USED_CODE_SECONDS))
    },
    destroy: (value) => queries.deleteToken(current(db), sha256(value)),
    revokeByGrantId: (grantId) => queries.deleteTokensOf(current(db), grantId, kind),
  }
}

/** What bounds a grant: as it was read in this exchange with its code or refresh token, which are locked then. */
async function boundsOf(db: Db, grantId: string): Promise<{ bounds: string | null }> {
  const known = exchanges.getStore()?.bounds.get(grantId)
  if (known !== undefined) return { bounds: known }
  return (await queries.findBounds(current(db), { id: grantId })) ?? { bounds: null }
}

/** A moment as the library has it: seconds since 1970. */
const seconds = (moment: string): number => epochTime(Date.parse(moment))

function payloadOf(
  token: queries.Token,
  value: string,
  { clock, agentClientId, agentAudience }: StorageOptions,
): AdapterPayload | undefined {
  if (token.expiresAt <= timestamp(clock.now())) return undefined
  const { payload, userId, clientId, grantId, scope, createdAt, expiresAt, consumedAt } = token
  return {
    ...(payload && parseJson<AdapterPayload>(payload)),
    jti: value,
    accountId: userId,
    clientId,
    grantId,
    scope,
    iat: seconds(createdAt),
    exp: seconds(expiresAt),
    ...(consumedAt && { consumed: seconds(consumedAt) }),
    // The fixed client may send or omit the resource in every exchange (interface.md, section 5): with two to choose from, the
    // library requests a default, and there is none.
    ...(clientId === agentClientId && { resource: [agentAudience, 'urn:none'] }),
  }
}

/** A grant: the consent of one account for one client. */
function grantStorage({ db, agentClientId, agentAudience }: StorageOptions): Adapter {
  return {
    ...nothing,
    async find(id) {
      const grant = await queries.findGrant(current(db), { id })
      if (!grant) return undefined
      const { userId, clientId, scope, createdAt } = grant
      return {
        jti: id,
        kind: 'Grant',
        accountId: userId,
        clientId,
        openid: { scope },
        ...(clientId === agentClientId && { resources: { [agentAudience]: scope } }),
        iat: seconds(createdAt),
        exp: epochTime() + 3600,
      }
    },
    destroy: (id) => queries.deleteGrant(current(db), id),
  }
}

/** A device code that an account allowed, for the exchange alone (device/exchange.ts). */
function deviceStorage({ db, clock, agentClientId, agentAudience, alreadyUsed }: StorageOptions): Adapter {
  return {
    ...nothing,
    async find(value) {
      const code = await findDeviceCode(current(db), sha256(value))
      const grant = code?.grantId ? await queries.findGrant(current(db), { id: code.grantId }) : undefined
      if (!code || !grant) return undefined
      const { clientId, createdAt, expiresAt, consumedAt } = code
      // What the account left in of what the device asked for.
      const { scope, acr } = grant
      return {
        ...{ jti: value, kind: 'DeviceCode', accountId: grant.userId, grantId: grant.id, clientId, scope, params: {} },
        ...{ iat: seconds(createdAt), exp: seconds(expiresAt) },
        ...(consumedAt && { consumed: seconds(consumedAt) }),
        ...strengthClaims(acr),
        ...(clientId === agentClientId && { resource: [agentAudience, 'urn:none'] }),
      }
    },
    async consume(value) {
      if (!(await consumeDeviceCode(current(db), sha256(value), timestamp(clock.now())))) throw alreadyUsed()
    },
  }
}

/** Proofs are remembered by one statement, so that of two that come at once one is refused. */
function proofStorage({ db, clock, replayed }: StorageOptions): Adapter {
  return {
    ...nothing,
    async upsert(hash) {
      const expiresAt = after(timestamp(clock.now()), 2 * PROOF_SECONDS)
      if (!(await insertProof(current(db), hash, expiresAt))) throw replayed()
    },
  }
}

function clientStorage({ db, clock }: StorageOptions): Adapter {
  return {
    ...nothing,
    async upsert(id, payload) {
      const now = timestamp(clock.now())
      const client = { id, metadata: JSON.stringify(payload), createdAt: now, lastUsedAt: now, firstUsedAt: null }
      await queries.insertClient(current(db), client)
    },
    async find(id) {
      const client = await queries.findClient(current(db), id)
      if (!client) {
        const withSecret = await findSecretClient(current(db), id)
        return withSecret && libraryClient(withSecret)
      }
      // A client that knows scopes only from its first 403 registers that one scope and requests more when it needs more (MCP,
      // authorization, step-up). The registered scopes do not limit it; the user's consent does.
      const { scope: _, client_name: name, ...metadata } = parseJson<AdapterPayload>(client.metadata)
      const plain = plainName(name)
      // The rule for names holds for clients from before it, too; a scheme from before stays, unless a system has it.
      const redirects = metadata.redirect_uris?.filter((uri) => !isRefused(uri))
      return { ...metadata, redirect_uris: redirects, ...(plain && { client_name: plain }) }
    },
    destroy: (id) => queries.deleteClient(current(db), id),
  }
}

/** An app with a secret, as the library knows clients. It opens no page: its assertions are of a provider. */
const libraryClient = ({ id, name, method }: SecretClient): AdapterPayload => ({
  ...{ client_id: id, client_name: name, client_secret: SECRET_FOR_LIBRARY, token_endpoint_auth_method: method },
  ...{ grant_types: [JWT_BEARER], response_types: [], redirect_uris: [] },
})
