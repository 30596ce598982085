// Claims: a mailed code for a token. Known and unknown addresses get the same answer for the same work.

import { countMail } from '../budgets/caused.ts'
import { Problem } from '../contract/problem.ts'
import { isScope, scopeNames } from '../contract/scopes.ts'
import { lockName } from '../database/engine.ts'
import type { Db, Transaction } from '../database/schema.ts'
import { findUserByEmail, lockUser, type User } from '../identity/account-queries.ts'
import { tokenActions } from '../identity/audit-actions.ts'
import { type Claim, insertClaim, listClaims, lockNewestClaim } from '../identity/code-queries.ts'
import { makeCode, tryCode } from '../identity/codes.ts'
import { findClient as findRegistered, findUserToIssueTo } from '../identity/grant-queries.ts'
import { createGrant, recordTokenUse } from '../identity/grants.ts'
import { claimLetter } from '../identity/mails.ts'
import { enterByMailbox } from '../identity/verify-email.ts'
import type { Context, Handlers } from '../request/handler.ts'
import { after, latest } from '../runtime/clock.ts'
import { parseJson, required } from '../runtime/untyped.ts'
import type { claims } from './claim-contract.ts'
import { hasToAuthenticate } from './client-authentication.ts'
import { type Client, findClient, nameOf } from './clients.ts'
import { useProof } from './dpop/dpop.ts'
import type { AuthorizationServer, OAuthContext } from './oauth-context.ts'
import { ACCESS_SECONDS, DEFAULT_SCOPE, REFRESH_SECONDS, type Resource, resourceOf } from './rules.ts'
import { within } from './storage.ts'

/** How many codes an address gets (interface.md, section 8). */
const OUTSTANDING = { codes: 3, windowSeconds: 3600 }
/** Bounds how often a code can be guessed at: 50 tries a day at a million codes. */
const DAILY = { codes: 10, windowSeconds: 86_400 }

export function claimHandlers({ server, readProof }: OAuthContext): Handlers<typeof claims> {
  return {
    async claim(context, { email, client_id, scope }) {
      const { provider } = await server()
      const client = await findClient(provider, client_id)
      if (!client || hasToAuthenticate(client))
        throw new Problem('invalid_request', 'client_id: is not a known client, or one that authenticates with keys')
      await makeClaim(context, { email, client, scope: await scopeFor(context.db, client, scope) })
      return { message: 'If the address belongs to an account, a code was sent to it' }
    },

    async verify(context, { email, code, client_id, resource = [] }) {
      const wanted = resourceOf([resource].flat(), client_id, context.config)
      if (wanted === 'refused') throw new Problem('invalid_target', 'resource: is not for this client')
      const { provider, agentResource } = await server()
      const client = await findClient(provider, client_id)
      // Looked at before the code, which it must not burn.
      const proof = await readProof(context.request)
      if (!proof && client?.dpopBoundAccessTokens)
        throw new Problem('invalid_dpop_proof', 'The client registered for tokens with a key')
      if (proof?.nonce) context.reply.set('DPoP-Nonce', proof.nonce)
      const tokens =
        client &&
        (await context.db.transaction().execute((db) =>
          within(db, async () => {
            // Locks are taken in one order everywhere: account, code, grant.
            const user = await lockUser(db, { email })
            const claim = await takeClaim(context, db, { email, clientId: client.clientId, code })
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

async function makeClaim(context: Context, { email, client, scope }: { email: string; client: Client; scope: string }) {
  const { db, outbox, budget, now, config } = context
  const { clientId } = client
  outbox.requireDelivery()
  const { code, stored } = await makeCode(context, ['claim', email, clientId])
  const mail = { recipient: email, ...claimLetter(code, nameOf(client, config) || clientId, scope) }
  await db.transaction().execute(async (transaction) => {
    await lockName(transaction, `claim ${email}`)
    await checkLimits(transaction, email, now)
    // Apart from codes of the site: requests of others for those do not use up claims.
    budget.note(await countMail(context, transaction, `claim ${email}`))
    const user = await findUserByEmail(transaction, email)
    await insertClaim(transaction, { ...stored, email, clientId, scope })
    // The same row is written either way; for an unknown address it is already marked as sent.
    await (user && !user.blockedAt && !user.deletionAt
      ? outbox.enqueue(transaction, mail)
      : outbox.pretend(transaction, mail))
  })
}

/** Holds for known and unknown addresses alike, and is never lifted (interface.md, section 8). */
async function checkLimits(db: Transaction, email: string, now: string): Promise<void> {
  const today = await listClaims(db, email, { since: after(now, -DAILY.windowSeconds), until: latest(now) })
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
  context: Context,
  db: Transaction,
  { email, clientId, code }: { email: string; clientId: string; code: string },
): Promise<Pick<Claim, 'scope'> | undefined> {
  const newest = await lockNewestClaim(db, { email, clientId }, latest(context.now))
  const boundTo = ['claim', email, clientId]
  return (await tryCode(context, db, { table: 'claim', newest, code, boundTo })) ? newest : undefined
}

interface IssueOptions extends Pick<AuthorizationServer, 'provider' | 'agentResource'> {
  claim: Pick<Claim, 'scope'>
  /** The account of the claim's address, locked. */
  user: User
  client: Client
  resource: Resource
  key: string | undefined
}

async function issue(
  context: Context,
  db: Transaction,
  { provider, agentResource, claim, user, client, resource, key }: IssueOptions,
) {
  const { scope } = claim
  if (!(await findUserToIssueTo(db, user.id))) return undefined
  // Before any token is issued: on an unverified account this removes earlier grants.
  await enterByMailbox(context, db, { user, by: 'claim' })
  const { clientId } = client
  const clientName = nameOf(client, context.config) ?? null
  const grant = await createGrant(db, context, { userId: user.id, clientId, clientName, sessionId: null, scope })
  const common = { accountId: user.id, client, grantId: grant.id, scope, gty: 'agent_claim', jkt: key }
  const token = new provider.AccessToken(common)
  if (resource === 'agent') token.resourceServer = agentResource
  const access_token = await token.save()
  const isAgent = clientId === context.config.agentClientId
  const stays = resource === 'agent' || (isAgent && scopeNames(scope).includes('offline_access'))
  const refresh_token = stays ? await new provider.RefreshToken(common).save() : undefined
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
