// Identity assertions (draft-ietf-oauth-identity-assertion-authz-grant, "ID-JAG"; enterprise-managed authorization of MCP): an identity provider of
// the operator says which client may act for which of its people, with which scope. Its subject is an account by a link that is there, or by an
// address that it verified in a mail domain that the operator lists for it; a new account follows the rules of sign-up.
import { z } from 'zod'
import type { IdentityProvider } from '../../config/identity-providers.ts'
import type { GrantBounds } from '../../contract/bounds.ts'
import { Email } from '../../contract/fields.ts'
import { scopeNames } from '../../contract/scopes.ts'
import { oneLine } from '../../contract/storable.ts'
import type { Transaction } from '../../database/schema.ts'
import { cut } from '../../formats/text.ts'
import * as accounts from '../../identity/account-queries.ts'
import { isSignedSince } from '../../identity/credentials.ts'
import { connectExternal, type ExternalPerson, joinExternal } from '../../identity/external-accounts.ts'
import { findExternalIdentity, listExternalIdentities } from '../../identity/external-queries.ts'
import { BY_ASSERTION, findAssertedGrant } from '../../identity/grant-life-queries.ts'
import { findClient as findRegistered, type Grant, updateGrant, updateGrantUse } from '../../identity/grant-queries.ts'
import { createGrant } from '../../identity/grants.ts'
import { externalMail } from '../../identity/mails.ts'
import { enterByMailbox } from '../../identity/verify-email.ts'
import { keySetIn } from '../../outgoing/key-sets.ts'
import type { EndpointRequest } from '../../request/endpoint.ts'
import { after } from '../../runtime/clock.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { refusal } from '../area.ts'
import type { Asserted, ReadAssertion } from '../assertion.ts'
import { TokenRefusal, unverified, type VerifiedAssertion, verifiedAssertion } from '../assertion.ts'
import { type Client, nameOf } from '../clients.ts'
import { issuerKeys } from '../issuers.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { ASSERTED_GRANT_SECONDS, resourceOf } from '../rules.ts'

/** The media type in the header (RFC 8725, 3.11): an ID token is no assertion. */
export const ID_JAG_TYPE = 'oauth-id-jag+jwt'
const LONGEST_SECONDS = 3_600

const text = z.string().min(1).max(2_000)
const Claims = z.looseObject({
  client_id: text,
  resource: z.union([text, z.array(text).max(10)]).optional(),
  scope: z.string().max(2_000).optional(),
  authorization_details: z.unknown().optional(),
})

export function identityAssertions(parts: OAuthContext): ReadAssertion {
  const { config, log } = parts.dependencies
  const allowed = () => config.identityProviders.map(({ issuer }) => issuer)
  const discovered = issuerKeys(parts.dependencies, allowed)
  const keysOf = ({ issuer, jwks }: IdentityProvider, kid: string | undefined) =>
    jwks
      ? Promise.resolve(keySetIn(jwks))
      : discovered(issuer, kid).catch((error: unknown) => {
          log.warn({ err: error, issuer }, 'the keys of an identity provider could not be fetched')
          throw new TokenRefusal(`the keys of ${issuer} cannot be fetched right now; try again later`)
        })
  return async ({ client, received }, token) => {
    const issuer = (await unverified(token))?.claims.iss
    const provider = config.identityProviders.find((one) => one.issuer === issuer)
    if (!provider) throw new TokenRefusal(`its issuer ${issuer ?? ''} is no identity provider of this server`)
    const verified = await verifiedAssertion(token, (kid) => keysOf(provider, kid), {
      ...{ issuer: provider.issuer, audience: provider.audience ?? config.issuer, typ: ID_JAG_TYPE },
      ...{ longestSeconds: LONGEST_SECONDS, required: ['jti', 'client_id'], now: received.now },
    })
    return asserted(parts, { client, received }, { provider, verified })
  }
}

interface Verified {
  provider: IdentityProvider
  verified: VerifiedAssertion
}

async function asserted(
  parts: OAuthContext,
  { client, received }: { client: Client; received: EndpointRequest },
  { provider, verified }: Verified,
): Promise<Asserted> {
  const { config, db } = parts.dependencies
  const { data: claims } = Claims.safeParse(verified.claims)
  if (!claims) throw new TokenRefusal('its claims are not those of an identity assertion')
  if (claims.client_id !== client.clientId) throw new TokenRefusal('it is for another client')
  if (provider.clients && !provider.clients.includes(client.clientId))
    throw new TokenRefusal('its issuer lets this client in nowhere here')
  for (const resource of [claims.resource ?? []].flat())
    if (resourceOf([resource], client.clientId, config) !== 'ordinary')
      throw new TokenRefusal('it is for another resource')
  const account = accountIn(provider, verified.claims)
  const details = claims.authorization_details
  return {
    ...verified,
    scope: await mostOf(db, client, claims.scope),
    bounds: details === undefined ? undefined : JSON.stringify(details),
    async open(transaction, { scope, bounds }) {
      const user = await userOf(parts, transaction, { received, account, iat: verified.claims.iat })
      const { clientId } = client
      const [userId, expiresAt] = [user.id, after(received.now, ASSERTED_GRANT_SECONDS)]
      const standing = await findAssertedGrant(transaction, { userId, clientId, now: received.now })
      if (standing) return renewed(transaction, standing, { scope, bounds, expiresAt, now: received.now })
      const clientName = nameOf(client, config) ?? null
      return createGrant(transaction, received, {
        ...{ userId, clientId, clientName, sessionId: BY_ASSERTION, scope, bounds, expiresAt },
        detail: { clientId, scope, issuer: provider.issuer },
      })
    },
  }
}

/** The grant of a client with what its newest assertion says: its bounds, and its scope beside that of others. */
async function renewed(
  db: Transaction,
  grant: Grant,
  { scope, bounds, expiresAt, now }: { scope: string; bounds: GrantBounds | undefined; expiresAt: string; now: string },
): Promise<Grant> {
  const all = new Set([...scopeNames(grant.scope), ...scopeNames(scope)])
  const changes = { scope: [...all].join(' '), bounds: bounds ? JSON.stringify(bounds) : null }
  await updateGrant(db, grant.id, changes)
  await updateGrantUse(db, grant.id, { now, expiresAt })
  return { ...grant, ...changes }
}

/** The most that a client may have: what the assertion names, of what the client registered. */
async function mostOf(db: OAuthContext['dependencies']['db'], client: Client, named: string | undefined) {
  const stored = await findRegistered(db, client.clientId)
  const registered = stored ? parseJson<{ scope?: string }>(stored.metadata).scope : client.scope
  if (registered === undefined || named === undefined) return named ?? registered
  const own = scopeNames(registered)
  return scopeNames(named)
    .filter((name) => own.includes(name))
    .join(' ')
}

/** The person of an assertion; an address only where the provider verified it, and may speak for its domain. */
function accountIn({ issuer, emailDomains }: IdentityProvider, claims: VerifiedAssertion['claims']): ExternalPerson {
  const given = claims['email_verified'] === true ? Email.safeParse(claims['email']).data : undefined
  const email =
    given !== undefined && emailDomains.includes(given.slice(given.lastIndexOf('@') + 1)) ? given : undefined
  const name =
    typeof claims['name'] === 'string' ? cut(oneLine(claims['name'].toWellFormed()).trim(), 100).trimEnd() : ''
  return { issuer, subject: claims.sub, email, name: name || undefined }
}

interface Person {
  received: EndpointRequest
  account: ExternalPerson
  /** When the assertion was made. */
  iat: number
}

const unknown = () =>
  refusal(
    'invalid_grant',
    'assertion: its subject is connected to no account here, and names no verified address that may be',
  )

/** The account, locked. */
const userOf = async (parts: OAuthContext, db: Transaction, person: Person): Promise<accounts.User> =>
  (await connectedUser(db, person)) ?? (await userByAddress(parts, db, person))

/** The account that the person is connected with, locked; undefined for one who is new here. */
async function connectedUser(db: Transaction, { account, iat }: Person): Promise<accounts.User | undefined> {
  const found = await findExternalIdentity(db, account)
  const linked = found && (await accounts.lockUser(db, { id: found.userId }))
  // Read again under the lock: it may have been disconnected.
  if (!linked || (await findExternalIdentity(db, account))?.userId !== linked.id) return undefined
  requireSince(linked, iat)
  return linked
}

function requireSince(user: accounts.User, iat: number): void {
  if (!isSignedSince(user, iat))
    throw refusal('invalid_grant', 'assertion: the account ended its credentials since it was made')
}

/** The account of a verified address of a domain that the provider may speak for, connected from now on; a new one where there is none. */
async function userByAddress({ dependencies }: OAuthContext, db: Transaction, person: Person) {
  const { received, account, iat } = person
  const { email } = account
  if (email === undefined) throw unknown()
  const { now, address, request } = received
  const context = { ...dependencies, now, address, request, cookie: () => undefined, reply: new Headers() }
  const known = await accounts.lockUser(db, { email })
  if (!known) {
    // Where it is not made, another assertion of the same person may have made it at the same moment.
    const made = (await joinExternal(context, db, { ...account, email })) ?? (await connectedUser(db, person))
    if (!made) throw unknown()
    return made
  }
  const before = await listExternalIdentities(db, known.id)
  // Another assertion of the same person connected it since it was looked for.
  if (before.some(({ issuer, subject }) => issuer === account.issuer && subject === account.subject)) {
    requireSince(known, iat)
    return known
  }
  // A provider does not decide who is an admin, and its subject stays the same person.
  if (known.role !== 'member' || before.some(({ issuer }) => issuer === account.issuer)) throw unknown()
  if (known.blockedAt || known.deletionAt) throw unknown()
  requireSince(known, iat)
  const entered = await enterByMailbox(context, db, { user: known, by: 'external' })
  await connectExternal(context, db, { user: entered, account, usedAt: null })
  const letter = externalMail(dependencies.config.baseUrl, new URL(account.issuer).host)
  await dependencies.outbox.enqueue(db, { recipient: known.email, ...letter })
  return entered
}
