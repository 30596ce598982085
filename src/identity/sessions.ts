// Sessions of the site: a random cookie, known to the database by its hash only, 7 days from its last use and 90 at most.
import { Problem } from '../contract/problem.ts'
import { strengthsOf } from '../contract/sign-in-strength.ts'
import type { Db, Transaction } from '../database/schema.ts'
import { cookieLine, cookieNamed } from '../request/credentials.ts'
import type { Caller, Context } from '../request/handler.ts'
import { sha256 } from '../runtime/hash.ts'
import { newId, newToken } from '../runtime/ids.ts'
import { outageOf } from '../runtime/outage.ts'
import * as queries from './account-queries.ts'
import { issuedNow } from './credentials.ts'
import { findSignInOf } from './grant-life-queries.ts'
import { findGrant } from './grant-queries.ts'
import { countPasskeys } from './passkey-queries.ts'
import { needsRenewal, REAUTHENTICATION_SECONDS, recentUntil, renewalDueAt, sessionEnd } from './rules.ts'

const COOKIE = 'guildhall_session'

export const cookieName = (baseUrl: string): string => cookieNamed(baseUrl, COOKIE)

/** The Set-Cookie value of a session, which lasts as long as the session does. */
export function sessionCookie(
  baseUrl: string,
  token: string,
  { now, expiresAt }: { now: string; expiresAt: string },
): string {
  const seconds = Math.max(0, Math.ceil((Date.parse(expiresAt) - Date.parse(now)) / 1000))
  return cookieLine(baseUrl, COOKIE, { value: token, seconds })
}

/** The Set-Cookie value that removes the cookie. */
export const noSessionCookie = (baseUrl: string): string => cookieLine(baseUrl, COOKIE, { value: '', seconds: 0 })

interface NewSession extends Pick<queries.StoredSession, 'device'> {
  /** The account, locked. */
  user: Pick<queries.User, 'id' | 'credentialsValidFrom'>
  /** That it is opened with. */
  passkeyId?: string | null
}

/** Creates a session and returns the cookie's value, which is not stored. */
export async function openSession(
  db: Db,
  { user, device, passkeyId = null }: NewSession,
  now: string,
): Promise<{ token: string; expiresAt: string }> {
  const token = newToken()
  const expiresAt = sessionEnd(now, now)
  const times = { createdAt: issuedNow(user, now), seenAt: now, authenticatedAt: now, expiresAt }
  const session = { id: newId(), userId: user.id, device, passkeyId, ...times }
  await queries.insertSession(db, { ...session, tokenHash: sha256(token) })
  return { token, expiresAt }
}

type Account = Omit<Caller, 'verified' | 'via' | 'externalGroups' | 'trust'> & {
  emailVerifiedAt: string | null
  externalGroups: string | null
  trust: number
}

/** An account as the caller that came in `via` a session or a token. */
export const callerOf = <Via extends Caller['via']>({ emailVerifiedAt, ...account }: Account, via: Via) => {
  const { id, email, username, role, createdAt, externalGroups, trust } = account
  return { id, email, username, role, createdAt, verified: emailVerifiedAt !== null, externalGroups, trust, via }
}

export interface SignedInCaller {
  caller: Caller
  blocked: boolean
  /** Whether the deletion of the account was requested: the session is good for little else than to keep it. */
  leaving: boolean
  /** Until when the session lasts, if it was just renewed. */
  renewedUntil: string | undefined
  /** Until when the session needs no other look, in milliseconds. */
  goodUntil: number
}

/** The account of a session cookie; undefined when the session has ended. */
export async function findSessionCaller(db: Db, token: string, now: string): Promise<SignedInCaller | undefined> {
  const found = await queries.findSession(db, token, now)
  if (!found) return undefined
  const { blockedAt, deletionAt, sessionId, sessionCreatedAt, seenAt, expiresAt, passkeyId } = found
  const caller = callerOf(found, { session: sessionId, byPasskey: passkeyId !== null })
  const renewedUntil = needsRenewal(seenAt, now)
    ? await renew(db, sessionId, { expiresAt: sessionEnd(sessionCreatedAt, now), seenAt: now })
    : undefined
  const goodUntil = Math.min(Date.parse(expiresAt), renewalDueAt(seenAt))
  return { caller, blocked: blockedAt !== null, leaving: deletionAt !== null, renewedUntil, goodUntil }
}

/** Until when the session lasts now; undefined when it stays as it was. */
function renew(db: Db, id: string, changes: { expiresAt: string; seenAt: string }): Promise<string | undefined> {
  return queries.updateSession(db, id, changes).then(
    () => changes.expiresAt,
    // A read does not wait for a disk that refuses writes.
    (error) => {
      if (!outageOf(error)) throw error
      return undefined
    },
  )
}

/**
 * The caller's account, locked. Refused once it is blocked or the session has ended: if the owner takes the account back during this
 * request, the request must not add a credential or revoke the owner's sessions afterwards.
 */
export async function lockCaller({ caller, now }: Context<Caller>, db: Transaction): Promise<queries.User> {
  const user = await queries.lockUser(db, { id: caller.id })
  if (user?.blockedAt) throw new Problem('blocked', 'This account is blocked')
  if (!user || !(await findOwnSession(db, { caller, now }))) {
    throw new Problem('unauthorized', 'The session has ended; sign in again')
  }
  return user
}

/**
 * The same for a caller with a session or a token, before something is added that acts by itself later. A token that is good when the
 * request begins may have ended by now.
 */
export async function lockHolder(context: Context<Caller>, db: Transaction): Promise<queries.User> {
  const { caller, now } = context
  if ('session' in caller.via) return lockCaller(context, db)
  const user = await queries.lockUser(db, { id: caller.id })
  if (!user || user.blockedAt) throw new Problem('blocked', 'This account is blocked')
  const { grantId } = caller.via
  const mayBeOlder = user.credentialsValidFrom !== null && user.credentialsValidFrom >= now
  if (mayBeOlder && (grantId === null || !(await findGrant(db, { id: grantId })))) {
    throw new Problem('unauthorized', 'Sign in, or send a valid bearer token')
  }
  return user
}

/** The session that a request came with, while it is open. */
export async function findOwnSession(db: Db, { caller, now }: Pick<Context<Caller>, 'caller' | 'now'>) {
  const { id: userId, via } = caller
  return 'session' in via ? queries.findOpenSession(db, { id: via.session, userId, now }) : undefined
}

/**
 * Refuses a session in which no credential was used within ten minutes (behaviour.md, section 5); `graceSeconds` extends that for an
 * action that was started in time.
 */
export async function requireRecent(context: Context<Caller>, db: Db, graceSeconds = 0): Promise<void> {
  const session = await findOwnSession(db, context)
  if (session && recentUntil(session.authenticatedAt, context.now, graceSeconds)) return
  throw new Problem(
    'reauthentication_required',
    'Confirm that it is you first, with your password, a passkey or a mailed code',
  )
}

/**
 * The same for a caller with a session or a token, before something is added that acts by itself later. A token is fresh while the sign-in is
 * in which its account let it in: a client asks for another one with `max_age`, and with `acr_values` where the account has a passkey (RFC 9470). What the account agreed to after it was asked is fresh.
 */
export async function requireFresh(context: Context<Caller>, db: Db): Promise<void> {
  const { via } = context.caller
  if ('session' in via) return requireRecent(context, db)
  if (context.isAgreedTo) return
  const { grantId } = via
  const signIn = grantId === null ? undefined : await findSignInOf(db, { grantId, now: context.now })
  const isRecent = signIn?.signedInAt !== undefined && recentUntil(signIn.signedInAt, context.now) !== undefined
  const acrValues = (await strengthNeeded(context, db)).filter((value) => value !== signIn?.acr).join(' ')
  if (isRecent && acrValues === '') return
  const needed = { maxAgeSeconds: REAUTHENTICATION_SECONDS, ...(acrValues !== '' && { acrValues }) }
  if (acrValues !== '')
    throw new Problem(
      'reauthentication_required',
      'This takes a token of a person who signed in with a passkey within ten minutes: have them sign in again',
      needed,
    )
  throw new Problem(
    'reauthentication_required',
    'This takes a token of a person who signed in within ten minutes: have them sign in again',
    needed,
  )
}

/** What a token has to come of beside a recent sign-in: an account that has a passkey signs in with it for this. */
async function strengthNeeded({ caller, config }: Context<Caller>, db: Db): Promise<string[]> {
  const strengths = strengthsOf(config)
  return strengths.length > 0 && (await countPasskeys(db, caller.id)) > 0 ? strengths : []
}

/**
 * The same for what only a person may do who holds the account: where it has a passkey, that must have opened or confirmed the session. An account
 * without one confirms by what it has.
 */
export async function requirePerson(context: Context<Caller>, db: Db): Promise<void> {
  await requireRecent(context, db)
  const { via, id } = context.caller
  if (('session' in via && via.byPasskey) || (await countPasskeys(db, id)) === 0) return
  throw new Problem('reauthentication_required', 'Confirm with a passkey first')
}
