// Trusted publishing: a run of a CI hands its ID token in (RFC 8693) for an access token of a quarter of an hour that publishes one item as
// the account that named the run. No secret is stored at the CI, and the ID token is good once.
import { addressKey, countTry } from '../../budgets/budgets.ts'
import { PUBLISHING_CLIENT } from '../../contract/own-clients.ts'
import type { Transaction } from '../../database/schema.ts'
import { publishingActions, tokenActions } from '../../identity/audit-actions.ts'
import type { CiRun, FoundPublisher } from '../../identity/ci-run.ts'
import { insertUsedProof } from '../../identity/code-queries.ts'
import * as queries from '../../identity/grant-queries.ts'
import { createGrant, recordTokenUse } from '../../identity/grants.ts'
import type { EndpointRequest, EndpointResponse } from '../../request/endpoint.ts'
import { after } from '../../runtime/clock.ts'
import { sha256 } from '../../runtime/hash.ts'
import { newToken } from '../../runtime/ids.ts'
import { json, nonceHeader, orRefused, refusal } from '../area.ts'
import { TokenRefusal } from '../assertion.ts'
import { type Proof, useProof } from '../dpop/dpop.ts'
import { idTokenReader, issuerOf } from '../id-token.ts'
import { issuerKeys } from '../issuers.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { ACCESS_TOKEN_TYPE, JWT_TYPE } from '../rules.ts'
import { RunRefusal, runOf } from './claims.ts'

export const ID_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:id_token'
export const PUBLISHING_SECONDS = 900
const SCOPE = 'library:write'
/** Runners of a CI share addresses. */
const BY_ADDRESS = { tries: 600, windowSeconds: 3_600 }
const BY_PUBLISHER = { tries: 60, windowSeconds: 3_600 }

interface VerifiedRun {
  run: CiRun
  /** What is the same for one token sent twice. */
  proof: { hash: string; expiresAt: string }
}

interface CiExchange {
  received: EndpointRequest
  form: URLSearchParams
  proof: Proof | undefined
}

/** Whether an exchange is of an ID token of another issuer, not of an access token that this server made. */
export async function isOfRun(form: URLSearchParams, ownIssuer: string): Promise<boolean> {
  const type = form.get('subject_token_type')
  if (type === ID_TOKEN_TYPE) return true
  const issuer = type === JWT_TYPE ? await issuerOf(form.get('subject_token') ?? '') : undefined
  return issuer !== undefined && issuer !== ownIssuer
}

const ONCE = [
  'subject_token',
  'subject_token_type',
  'requested_token_type',
  'scope',
  'resource',
  'audience',
  'publisher',
]
const ITEM = /^\/api\/library\/items\/([a-z-]{1,40})\/([a-z0-9][a-z0-9._-]{0,199})$/

/** What the form asks to publish; throws where a parameter is missing, twice there or not supported (RFC 8693, 2.1). */
function askedIn(form: URLSearchParams, { issuer, baseUrl }: { issuer: string; baseUrl: string }) {
  for (const name of ONCE) if (form.getAll(name).length > 1) throw refusal('invalid_request', `${name} is there twice`)
  const token = form.get('subject_token')
  if (!token) throw refusal('invalid_request', 'subject_token is missing')
  if (![null, ACCESS_TOKEN_TYPE].includes(form.get('requested_token_type')))
    throw refusal('invalid_request', `requested_token_type must be ${ACCESS_TOKEN_TYPE}`)
  if (form.has('actor_token') || form.has('actor_token_type'))
    throw refusal('invalid_request', 'actor_token is not supported')
  if (![null, SCOPE].includes(form.get('scope'))) throw refusal('invalid_scope', `the scope is ${SCOPE}`)
  if (![null, issuer].includes(form.get('audience'))) throw refusal('invalid_target', `the audience is ${issuer}`)
  const resource = form.get('resource') ?? ''
  const [, kind, slug] = (resource.startsWith(baseUrl) && ITEM.exec(resource.slice(baseUrl.length))) || []
  if (kind === undefined || slug === undefined)
    throw refusal('invalid_target', `resource must be ${baseUrl}/api/library/items/{kind}/{slug}, of one item`)
  return { token, kind, slug, publisherId: form.get('publisher') ?? undefined }
}

/** Answers exchanges of ID tokens of runs. */
export function runExchange(parts: OAuthContext) {
  const { publishers } = parts
  const { config, db } = parts.dependencies
  const allowed = () => config.ciIssuers
  const readToken = idTokenReader(parts.dependencies, issuerKeys(parts.dependencies, allowed), allowed)
  const readRun = async (token: string, now: string): Promise<VerifiedRun> => {
    const { issuer, claims, proof } = await readToken(token, now)
    return { run: runOf(issuer, claims), proof }
  }
  return ({ received, form, proof }: CiExchange): Promise<EndpointResponse> =>
    orRefused(async () => {
      const { now, address } = received
      const { token, ...asked } = askedIn(form, config)
      if (config.rateLimits) await countTry(db, { key: `run ${addressKey(address)}`, limit: BY_ADDRESS, now })
      const verified = await readRun(token, now).catch((error: unknown) => {
        if (!(error instanceof TokenRefusal || error instanceof RunRefusal)) throw error
        throw refusal('invalid_request', `subject_token: ${error.message}`)
      })
      const found = await publishers.find(db, { ...asked, run: verified.run })
      if (found === 'several')
        throw refusal(
          'invalid_target',
          'several accounts let this run publish that name; send the id of one as publisher',
        )
      if (!found) throw notLet(asked, verified)
      if (config.rateLimits) await countTry(db, { key: `run of ${found.id}`, limit: BY_PUBLISHER, now })
      return db
        .transaction()
        .execute((transaction) =>
          issue(transaction, parts, { ...{ received, proof, verified, found }, name: `${asked.kind}/${asked.slug}` }),
        )
    })
}

/** The same for an item that is not there, is private, or has other publishers. */
function notLet({ kind, slug }: { kind: string; slug: string }, { run }: VerifiedRun) {
  const { issuer, repository, workflow, ref, environment } = run
  const said = { issuer, repository, workflow, ref, environment: environment ?? 'none' }
  const words = Object.entries(said).map(([name, value]) => `${name} ${value}`)
  return refusal('invalid_target', `no publisher of ${kind}/${slug} lets this run: ${words.join(', ')}`)
}

interface Issue {
  received: EndpointRequest
  proof: Proof | undefined
  verified: VerifiedRun
  found: FoundPublisher
  name: string
}

async function issue(
  db: Transaction,
  { dependencies, publishers }: OAuthContext,
  { received, proof, verified, found, name }: Issue,
): Promise<EndpointResponse> {
  const { now } = received
  const { run } = verified
  const userId = found.accountId
  if (!(await insertUsedProof(db, verified.proof)))
    throw refusal('invalid_request', 'subject_token: it was used already, and is good once')
  if (proof) await useProof(db, dependencies.clock, { context: PUBLISHING_CLIENT, jti: proof.jti })
  const grant = await createGrant(db, received, {
    ...{ userId, clientId: PUBLISHING_CLIENT, clientName: 'Trusted publishing', sessionId: null, scope: SCOPE },
    ...{ action: publishingActions.let, expiresAt: after(now, PUBLISHING_SECONDS) },
    detail: { publisher: found.id, item: name, repository: run.repository, commit: run.commit, run: run.runUrl },
  })
  if (!(await publishers.use(db, found, { grantId: grant.id, run, now })))
    throw refusal(
      'invalid_target',
      `the repository ${run.repository} is another one than that which published here first`,
    )
  const token = newToken()
  const of = { grantId: grant.id, userId, clientId: PUBLISHING_CLIENT, scope: SCOPE }
  await queries.insertToken(db, {
    ...{ ...of, hash: sha256(token), kind: 'access', payload: null, createdAt: now, consumedAt: null },
    ...{
      response: null,
      responseFor: null,
      expiresAt: after(now, PUBLISHING_SECONDS),
      keyThumbprint: proof?.key ?? null,
    },
  })
  await recordTokenUse(db, received, { ...of, action: tokenActions.issue, forSeconds: PUBLISHING_SECONDS })
  const answer = {
    ...{ access_token: token, issued_token_type: ACCESS_TOKEN_TYPE, token_type: proof ? 'DPoP' : 'Bearer' },
    ...{ expires_in: PUBLISHING_SECONDS, scope: SCOPE, item_id: found.itemId },
  }
  return json(200, answer, { 'Cache-Control': 'no-store', Pragma: 'no-cache', ...nonceHeader(proof?.nonce) })
}
