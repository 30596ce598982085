// Claims: a mailed code for a token. Known and unknown addresses get the same answer for the same work.

import { countMail } from '../../budgets/caused.ts'
import { Problem } from '../../contract/problem.ts'
import { isScope, scopeNames } from '../../contract/scopes.ts'
import { lockName } from '../../database/engine.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { lockUserByEmail, type User } from '../../identity/account-queries.ts'
import { tokenActions } from '../../identity/audit-actions.ts'
import * as queries from '../../identity/claim-queries.ts'
import { CODE_FAILURES, CODE_SECONDS, DAILY, OUTSTANDING } from '../../identity/claim-rules.ts'
import { createGrant, recordTokenUse } from '../../identity/create-grant.ts'
import { findClient as findRegistered, findUserToIssueTo } from '../../identity/grant-queries.ts'
import { enterByMailbox } from '../../identity/verify-email.ts'
import type { Context, Handlers } from '../../request/handler.ts'
import { after, latest } from '../../runtime/clock.ts'
import { codeHash, sameHash } from '../../runtime/hash.ts'
import { newCode, newId } from '../../runtime/ids.ts'
import { parseJson, required } from '../../runtime/untyped.ts'
import { type Client, findClient } from '../clients.ts'
import { type Proof, type ReadProof, useProof } from '../dpop/dpop.ts'
import type { AuthorizationServer } from '../provider.ts'
import { ACCESS_SECONDS, DEFAULT_SCOPE, REFRESH_SECONDS, type Resource, resourceOf } from '../rules.ts'
import { within } from '../storage.ts'
import type { claims } from './contract.ts'
import { codeMail } from './mails.ts'

interface Verified {
  email: string
  code: string
  client: Client
  resource: Resource
}

interface Options {
  server(): Promise<AuthorizationServer>
  read: ReadProof
}

export function claimHandlers({ server, read }: Options): Handlers<typeof claims> {
  return {
    async claim(context, { email, client_id, scope }) {
      const { provider } = await server()
      const client = await findClient(provider, client_id)
      if (!client) throw new Problem('invalid_request', 'client_id: is not a known client')
      await makeClaim(context, { email, client, scope: await scopeFor(context.db, client, scope) })
      return { message: 'If the address belongs to an account, a code was sent to it' }
    },

    async verify(context, { email, code, client_id, resource = [] }) {
      const wanted = resourceOf([resource].flat(), client_id, context.config)
      if (wanted === 'refused') throw new Problem('invalid_target', 'resource: is not for this client')
      const { provider, agentResource } = await server()
      const client = await findClient(provider, client_id)
      const proof = await proofIn(context, read, client)
      if (proof?.nonce) context.reply.set('DPoP-Nonce', proof.nonce)
      const tokens =
        client &&
        (await context.db.transaction().execute((db) =>
          within(db, async () => {
            // Locks are taken in one order everywhere: account, code, grant.
            const user = await lockUserByEmail(db, email)
            const claim = await takeClaim(context, db, { email, code, client, resource: wanted })
            // A proof that was used before undoes all of it: the code is still good.
            if (claim && proof) await useProof(db, context.clock, { context: client.clientId, jti: proof.jti })
            if (!claim || !user) return undefined
            const to = { client, resource: wanted, key: proof?.key }
            return issue(context, db, { provider, agentResource, claim, user, ...to })
          }),
        ))
      if (!tokens)
        throw new Problem('invalid_or_expired_code', 'The code is wrong or no longer good; ask for a new one')
      return tokens
    },
  }
}

/** The proof of a key that came along (RFC 9449, 5); looked at before the code, which it must not burn. */
async function proofIn({ request }: Context, read: ReadProof, client: Client | undefined): Promise<Proof | undefined> {
  const proof = request.headers.get('dpop')
  if (proof !== null) return read({ proof, request })
  if (client?.dpopBoundAccessTokens)
    throw new Problem('invalid_dpop_proof', 'The client registered for tokens with a key')
  return undefined
}

/** The requested scope, if every name in it exists and the client registered it, or registered no scopes at all. */
async function scopeFor(db: Db, { clientId }: Client, scope: string): Promise<string> {
  const names = scopeNames(scope)
  const client = await findRegistered(db, clientId)
  const registered = client && parseJson<{ scope?: string }>(client.metadata).scope
  const own = registered ? scopeNames(registered) : undefined
  for (const name of names) {
    if (!isScope(name)) throw new Problem('invalid_request', `scope: unknown scope ${name}`)
    if (own && !own.includes(name)) throw new Problem('invalid_request', `scope: the client did not register ${name}`)
  }
  return names.join(' ') || DEFAULT_SCOPE
}

async function makeClaim(
  context: Context,
  { email, client, scope }: { email: string; client: Client; scope: string },
): Promise<void> {
  const { db, outbox, budget, secretFor, now } = context
  outbox.requireDelivery()
  const code = newCode()
  const secret = await secretFor('codes')
  const mail = { recipient: email, ...codeMail(code, client.clientName || client.clientId, scope) }
  await db.transaction().execute(async (transaction) => {
    await lockName(transaction, `claim ${email}`)
    await checkLimits(transaction, email, now)
    budget.note(await countMail(context, transaction, email))
    const claimant = await queries.findClaimant(transaction, email)
    await queries.insertClaim(transaction, {
      id: newId(),
      email,
      clientId: client.clientId,
      scope,
      codeHash: codeHash(secret, code, 'claim', email, client.clientId),
      failures: 0,
      createdAt: now,
      expiresAt: after(now, CODE_SECONDS),
      usedAt: null,
    })
    // The same row is written either way; for an unknown address it is already marked as sent.
    await (claimant ? outbox.enqueue(transaction, mail) : outbox.pretend(transaction, mail))
  })
}

/** Holds for known and unknown addresses alike, and is never lifted (interface.md, section 8). */
async function checkLimits(db: Transaction, email: string, now: string): Promise<void> {
  const today = await queries.listClaims(db, email, { since: after(now, -DAILY.windowSeconds), until: latest(now) })
  const outstanding = today.filter(
    ({ createdAt, usedAt }) => !usedAt && createdAt > after(now, -OUTSTANDING.windowSeconds),
  )
  const full = outstanding.length >= OUTSTANDING.codes ? OUTSTANDING : today.length >= DAILY.codes ? DAILY : undefined
  if (!full) return
  const oldest = full === OUTSTANDING ? required(outstanding[0]) : required(today[0])
  const waitMilliseconds = Date.parse(oldest.createdAt) + full.windowSeconds * 1000 - Date.parse(now)
  throw new Problem('rate_limited', 'Too many codes for this address; use one that was mailed, or wait', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMilliseconds / 1000)),
  })
}

/** Uses the code up, or counts the failure: the transaction is committed either way. */
async function takeClaim(
  { now, secretFor }: Context,
  db: Transaction,
  { email, code, client }: Verified,
): Promise<queries.Claim | undefined> {
  const claim = await queries.lockNewestClaim(db, { email, clientId: client.clientId, until: latest(now) })
  if (!claim || claim.usedAt || claim.expiresAt <= now || claim.failures >= CODE_FAILURES) return undefined
  const right = sameHash(claim.codeHash, codeHash(await secretFor('codes'), code, 'claim', email, client.clientId))
  await queries.updateClaim(db, claim.id, right ? { usedAt: now } : { failures: claim.failures + 1 })
  return right ? claim : undefined
}

interface Issued extends Pick<AuthorizationServer, 'provider' | 'agentResource'> {
  claim: queries.Claim
  /** The account of the claim's address, locked. */
  user: User
  client: Client
  resource: Resource
  key: string | undefined
}

async function issue(
  context: Context,
  db: Transaction,
  { provider, agentResource, claim, user, client, resource, key }: Issued,
) {
  const { scope } = claim
  if (!(await findUserToIssueTo(db, user.id))) return undefined
  // Before any token is issued: on an unverified account this removes earlier grants.
  await enterByMailbox(context, db, { user, by: 'claim' })
  const { clientId, clientName = null } = client
  const grant = await createGrant(db, context, { userId: user.id, clientId, clientName, sessionId: null, scope })
  const common = { accountId: user.id, client, grantId: grant.id, scope, gty: 'agent_claim', jkt: key }
  const token = new provider.AccessToken(common as never)
  if (resource === 'agent') token.resourceServer = agentResource
  const access_token = await token.save()
  const isAgent = clientId === context.config.agentClientId
  const stays = resource === 'agent' || (isAgent && scopeNames(scope).includes('offline_access'))
  const refresh_token = stays ? await new provider.RefreshToken(common as never).save() : undefined
  await recordTokenUse(db, context, {
    ...{ grantId: grant.id, userId: user.id, clientId },
    action: tokenActions.issue,
    scope,
    forSeconds: stays ? REFRESH_SECONDS : ACCESS_SECONDS,
  })
  return {
    access_token,
    token_type: key ? ('DPoP' as const) : ('Bearer' as const),
    expires_in: ACCESS_SECONDS,
    scope,
    ...(refresh_token && { refresh_token }),
  }
}
