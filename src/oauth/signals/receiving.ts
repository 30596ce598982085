// Signals of others (RFC 8935): an issuer that the operator allows says that sessions of an account were revoked, and they end here too. Each
// has its effect once.

import { record } from '../../audit/audit.ts'
import { addressKey, countTry } from '../../budgets/budgets.ts'
import type { Transaction } from '../../database/schema.ts'
import { deleteSessionsOf, findUserByEmail, lockUser } from '../../identity/account-queries.ts'
import { sessionActions } from '../../identity/audit-actions.ts'
import { insertUsedProof } from '../../identity/code-queries.ts'
import { findExternalIdentity } from '../../identity/external-queries.ts'
import type { EndpointRequest, EndpointResponse, Serve } from '../../request/endpoint.ts'
import { after } from '../../runtime/clock.ts'
import { sha256 } from '../../runtime/hash.ts'
import { recordOf } from '../../runtime/json.ts'
import { json, protocolError } from '../area.ts'
import { ASSERTION_ALGORITHMS, isOfBadKey } from '../assertion.ts'
import { issuerOf } from '../id-token.ts'
import { type IssuerKeys, issuerKeys } from '../issuers.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { SESSION_REVOKED, SET_TYPE } from './events.ts'

/** A signal that is older says nothing of now; as long is remembered which ones came. */
const LONGEST_SECONDS = 86_400
const TOLERANCE_SECONDS = 60
const SIGNALS = { tries: 6_000, windowSeconds: 3_600 }

/** RFC 8935, 2.4. */
class SignalRefusal extends Error {
  readonly err: string

  constructor(err: string, description: string) {
    super(description)
    this.err = err
  }
}

export function signalsEndpoint({ dependencies }: Pick<OAuthContext, 'dependencies'>): Serve {
  const { config } = dependencies
  const keysOf = issuerKeys(dependencies, () => config.signalIssuers)
  return async (received) => {
    if (config.signalIssuers.length === 0) return protocolError(404, 'not_found', 'This server takes no signals')
    try {
      return await take(dependencies, keysOf, received)
    } catch (error) {
      if (!(error instanceof SignalRefusal)) throw error
      return json(400, { err: error.err, description: error.message })
    }
  }
}

async function take(
  dependencies: OAuthContext['dependencies'],
  keysOf: IssuerKeys,
  received: EndpointRequest,
): Promise<EndpointResponse> {
  const { request, body, now, address } = received
  const { db, config } = dependencies
  if (config.rateLimits) await countTry(db, { key: `signals ${addressKey(address)}`, limit: SIGNALS, now })
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/secevent\+jwt\b/i.test(type))
    throw new SignalRefusal('invalid_request', `Send application/${SET_TYPE}`)
  const claims = await verified(dependencies, keysOf, { token: body.trim(), now })
  await db.transaction().execute(async (transaction) => {
    const hash = sha256(`signal\n${claims.iss}\n${claims.jti}`)
    const isNew = await insertUsedProof(transaction, { hash, expiresAt: after(now, LONGEST_SECONDS * 2) })
    // One that is known is acknowledged as before (RFC 8935, 2.4): its sender may not have heard the first answer.
    if (isNew && claims.isRevocation)
      await revoke(transaction, { issuer: claims.iss, subject: claims.subject, now, address })
  })
  return { status: 202, body: null }
}

interface Signal {
  iss: string
  jti: string
  /** Whether it says that sessions were revoked; what says other things is taken, and nothing follows. */
  isRevocation: boolean
  subject: unknown
}

async function verified(
  { config, log }: OAuthContext['dependencies'],
  keysOf: IssuerKeys,
  { token, now }: { token: string; now: string },
): Promise<Signal> {
  const jose = await import('jose')
  const issuer = await issuerOf(token)
  if (issuer === undefined) throw new SignalRefusal('invalid_request', 'The body is no signed JWT')
  if (!config.signalIssuers.includes(issuer))
    throw new SignalRefusal('invalid_issuer', 'This issuer is not allowed here')
  const { kid } = jose.decodeProtectedHeader(token)
  const keys = await keysOf(issuer, kid).catch((error: unknown) => {
    log.warn({ err: error, issuer }, 'the keys of an issuer could not be fetched')
    throw new SignalRefusal('invalid_key', 'The keys of the issuer cannot be fetched right now')
  })
  const options = {
    ...{ issuer, audience: config.issuer, typ: SET_TYPE, algorithms: ASSERTION_ALGORITHMS, currentDate: new Date(now) },
    ...{ clockTolerance: TOLERANCE_SECONDS, maxTokenAge: LONGEST_SECONDS, requiredClaims: ['iat', 'jti', 'events'] },
  }
  const { payload } = await jose.jwtVerify(token, jose.createLocalJWKSet(keys), options).catch((error: unknown) => {
    if (isOfBadKey(error)) throw new SignalRefusal('invalid_key', error.message)
    if (!(error instanceof jose.errors.JOSEError)) throw error
    const isKey =
      error instanceof jose.errors.JWSSignatureVerificationFailed || error instanceof jose.errors.JWKSNoMatchingKey
    const isAudience = error instanceof jose.errors.JWTClaimValidationFailed && error.claim === 'aud'
    throw new SignalRefusal(isKey ? 'invalid_key' : isAudience ? 'invalid_audience' : 'invalid_request', error.message)
  })
  const events = recordOf(payload['events']) ?? {}
  const event = recordOf(events[SESSION_REVOKED])
  // Before the final text the subject was within the event.
  return {
    ...{ iss: issuer, jti: String(payload.jti), isRevocation: event !== undefined },
    subject: payload['sub_id'] ?? event?.['subject'],
  }
}

interface Revocation {
  issuer: string
  subject: unknown
  now: string
  address: string
}

/** Ends the sessions of the account that a subject names (RFC 9493); none where it names no account here. */
async function revoke(db: Transaction, { issuer, subject, now, address }: Revocation): Promise<void> {
  const userId = await accountOf(db, issuer, recordOf(subject))
  const user = userId === undefined ? undefined : await lockUser(db, { id: userId })
  if (!user) return
  const ended = await deleteSessionsOf(db, user.id)
  const detail = { issuer, ended }
  await record(db, now, {
    action: sessionActions.signal,
    actorId: null,
    targetType: 'user',
    targetId: user.id,
    detail,
    address,
  })
}

/** By the subject of the issuer that signs, which signed in here, or by an address. An issuer speaks of no other issuer's subjects. */
async function accountOf(
  db: Transaction,
  issuer: string,
  subject: Record<string, unknown> | undefined,
): Promise<string | undefined> {
  const { format, iss, sub, email, user } = subject ?? {}
  if (format === 'complex') return accountOf(db, issuer, recordOf(user))
  if (format === 'iss_sub' && iss === issuer && typeof sub === 'string')
    return (await findExternalIdentity(db, { issuer, subject: sub }))?.userId
  if (format === 'email' && typeof email === 'string')
    return (await findUserByEmail(db, email.trim().toLowerCase()))?.id
  return undefined
}
