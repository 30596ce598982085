// The exchange of a workload identity (RFC 8693): the ID token of an issuer that the operator allows for a token of a quarter of an hour. The form
// names the program by its id; the token must have its subject and all of its claims, and is good once.
import { addressKey, countTry } from '../../budgets/budgets.ts'
import { scopeNames } from '../../contract/scopes.ts'
import type { Transaction } from '../../database/schema.ts'
import { tokenActions } from '../../identity/audit-actions.ts'
import { insertUsedProof } from '../../identity/code-queries.ts'
import { isSignedSince } from '../../identity/credentials.ts'
import { BY_ASSERTION, findAssertedGrant } from '../../identity/grant-life-queries.ts'
import { findUserToIssueTo, insertToken } from '../../identity/grant-queries.ts'
import { createGrant, recordTokenUse } from '../../identity/grants.ts'
import * as queries from '../../identity/workload-queries.ts'
import type { EndpointRequest, EndpointResponse } from '../../request/endpoint.ts'
import { after } from '../../runtime/clock.ts'
import { sha256 } from '../../runtime/hash.ts'
import { newToken } from '../../runtime/ids.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { orRefused, refusal, tokenReply } from '../area.ts'
import { TokenRefusal } from '../assertion.ts'
import { endWith, hasEnded, withDetails } from '../bounds.ts'
import { type Proof, useProof } from '../dpop/dpop.ts'
import { type IssuedToken, idTokenReader } from '../id-token.ts'
import { issuerKeys } from '../issuers.ts'
import { boundsIn } from '../jwt.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { ACCESS_TOKEN_TYPE, ASSERTED_GRANT_SECONDS, resourceOf } from '../rules.ts'
import { clientOf, isOf, WORKLOAD_SECONDS } from './rules.ts'

const BY_ADDRESS = { tries: 600, windowSeconds: 3_600 }
const BY_WORKLOAD = { tries: 60, windowSeconds: 3_600 }
const ONCE = [
  'subject_token',
  'subject_token_type',
  'requested_token_type',
  'scope',
  'resource',
  'audience',
  'workload',
]

interface WorkloadExchange {
  received: EndpointRequest
  form: URLSearchParams
  proof: Proof | undefined
}

/** The same for a program that is not there, and for one of others: who asks may see which tokens it needs nowhere. */
const notLet = ({ issuer, claims }: IssuedToken) =>
  refusal('invalid_target', `no account lets this program in: issuer ${issuer}, subject ${claims.sub}`)

function askedIn(form: URLSearchParams, { issuer, baseUrl, ...where }: OAuthContext['dependencies']['config']) {
  for (const name of ONCE) if (form.getAll(name).length > 1) throw refusal('invalid_request', `${name} is there twice`)
  const token = form.get('subject_token')
  if (!token) throw refusal('invalid_request', 'subject_token is missing')
  const id = form.get('workload')
  if (!id) throw refusal('invalid_request', 'workload is missing: the id of the program, which its owner sees')
  if (![null, ACCESS_TOKEN_TYPE].includes(form.get('requested_token_type')))
    throw refusal('invalid_request', `requested_token_type must be ${ACCESS_TOKEN_TYPE}`)
  if (form.has('actor_token') || form.has('actor_token_type'))
    throw refusal('invalid_request', 'actor_token is not supported')
  if (![null, issuer].includes(form.get('audience'))) throw refusal('invalid_target', `the audience is ${issuer}`)
  if (resourceOf(form.getAll('resource'), null, { ...where, baseUrl }) !== 'ordinary')
    throw refusal('invalid_target', 'the resource is not for this program')
  return { token, id, scope: form.get('scope') ?? '' }
}

/** Answers exchanges of ID tokens of programs. */
export function workloadExchange(parts: OAuthContext) {
  const { config, db } = parts.dependencies
  const allowed = () => config.workloadIssuers
  const readToken = idTokenReader(parts.dependencies, issuerKeys(parts.dependencies, allowed), allowed)
  return ({ received, form, proof }: WorkloadExchange): Promise<EndpointResponse> =>
    orRefused(async () => {
      const { now, address } = received
      const asked = askedIn(form, config)
      if (config.rateLimits) await countTry(db, { key: `workload ${addressKey(address)}`, limit: BY_ADDRESS, now })
      const token = await readToken(asked.token, now).catch((error: unknown) => {
        throw error instanceof TokenRefusal ? refusal('invalid_request', `subject_token: ${error.message}`) : error
      })
      const found = await queries.findWorkload(db, asked.id)
      if (!found || !isLetBy(found, token)) throw notLet(token)
      if (config.rateLimits) await countTry(db, { key: `workload of ${found.id}`, limit: BY_WORKLOAD, now })
      const scope = scopeOf(found, asked.scope)
      return db
        .transaction()
        .execute((transaction) =>
          issue(transaction, parts, { received, proof, token, scope, id: found.id, userId: found.userId }),
        )
    })
}

const isLetBy = ({ issuer, subject, claims }: queries.Workload, token: IssuedToken): boolean =>
  token.issuer === issuer && isOf(token.claims, { subject, claims: parseJson<Record<string, string>>(claims) })

function scopeOf({ scope }: Pick<queries.Workload, 'scope'>, asked: string): string {
  const own = scopeNames(scope)
  const names = scopeNames(asked)
  if (!names.every((name) => own.includes(name))) throw refusal('invalid_scope', `this program has ${scope}`)
  return names.length > 0 ? names.join(' ') : scope
}

interface Issue {
  received: EndpointRequest
  proof: Proof | undefined
  token: IssuedToken
  scope: string
  id: string
  userId: string
}

async function issue(
  db: Transaction,
  { dependencies }: OAuthContext,
  { received, proof, token, scope: asked, id, userId }: Issue,
): Promise<EndpointResponse> {
  const { now } = received
  // Locks are taken in one order everywhere: account, workload, grant.
  const user = await findUserToIssueTo(db, userId)
  const workload = await queries.lockWorkload(db, id)
  if (!user || !workload || !isSignedSince(user, token.claims.iat)) throw notLet(token)
  if (!(await insertUsedProof(db, token.proof)))
    throw refusal('invalid_request', 'subject_token: it was used already, and is good once')
  const clientId = clientOf(id)
  if (proof) await useProof(db, dependencies.clock, { context: clientId, jti: proof.jti })
  const grant =
    (await findAssertedGrant(db, { userId, clientId, now })) ?? (await newGrant(db, received, { workload, token }))
  if (hasEnded(grant, now))
    throw refusal('invalid_grant', 'the time for which the account let this program in has passed')
  const left = scopeNames(asked).filter((name) => scopeNames(grant.scope).includes(name))
  if (left.length === 0) throw refusal('invalid_scope', `this program has ${grant.scope}`)
  const value = newToken()
  const of = { grantId: grant.id, userId, clientId, scope: left.join(' ') }
  await insertToken(db, {
    ...{ ...of, hash: sha256(value), kind: 'access', payload: null, createdAt: now, consumedAt: null },
    ...{ response: null, responseFor: null, expiresAt: endWith(after(now, WORKLOAD_SECONDS), grant) },
    keyThumbprint: proof?.key ?? null,
  })
  await recordTokenUse(db, received, { ...of, action: tokenActions.issue, forSeconds: ASSERTED_GRANT_SECONDS })
  await queries.updateWorkloadUse(db, id, now)
  const answer = {
    ...{ access_token: value, issued_token_type: ACCESS_TOKEN_TYPE, token_type: proof ? 'DPoP' : 'Bearer' },
    ...{ expires_in: WORKLOAD_SECONDS, scope: of.scope },
  }
  return tokenReply(withDetails(JSON.stringify(answer), grant, now), proof?.nonce)
}

function newGrant(
  db: Transaction,
  received: EndpointRequest,
  { workload, token }: { workload: queries.Workload; token: IssuedToken },
) {
  const { id, userId, name, scope, bounds } = workload
  return createGrant(db, received, {
    ...{ userId, clientId: clientOf(id), clientName: name, sessionId: BY_ASSERTION, scope, bounds: boundsIn(bounds) },
    ...{ expiresAt: after(received.now, ASSERTED_GRANT_SECONDS) },
    detail: { workload: id, issuer: token.issuer, subject: token.claims.sub, scope },
  })
}
