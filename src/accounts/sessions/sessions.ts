// Sessions of the site: a random cookie, known to the database by its hash only, 7 days from its last use.
import { Problem } from '../../contract/problem.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import type { Caller, Context } from '../../handler.ts'
import { after } from '../../platform/clock.ts'
import { sha256 } from '../../platform/hash.ts'
import { newId, newToken } from '../../platform/ids.ts'
import { outageOf } from '../../platform/outage.ts'
import * as queries from '../queries.ts'
import { needsRenewal, SESSION_SECONDS } from '../rules.ts'

/** The cookie's name. On https a browser itself holds a `__Host-` cookie to this host, the whole path and TLS. */
export const cookieName = (baseUrl: string): string =>
  baseUrl.startsWith('https:') ? '__Host-guildhall_session' : 'guildhall_session'

/** A Set-Cookie value; an empty token clears the cookie. */
export function sessionCookie(baseUrl: string, token: string): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  const age = token ? SESSION_SECONDS : 0
  return `${cookieName(baseUrl)}=${token}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`
}

type Opened = Pick<queries.StoredSession, 'userId' | 'device'>

/** Opens a session and returns the cookie's value, which is not kept anywhere. */
export async function openSession(db: Db, who: Opened, now: string): Promise<string> {
  const token = newToken()
  const expiresAt = after(now, SESSION_SECONDS)
  await queries.insertSession(db, { ...who, id: newId(), tokenHash: sha256(token), createdAt: now, expiresAt })
  return token
}

export interface SignedInCaller {
  caller: Caller
  blocked: boolean
  /** Whether the cookie should be sent again, because the session was just renewed. */
  renewed: boolean
}

/** Who a session cookie belongs to; undefined when the session ended. */
export async function findSessionCaller(db: Db, token: string, now: string): Promise<SignedInCaller | undefined> {
  const found = await queries.findSession(db, sha256(token), now)
  if (!found) return undefined
  const renewed =
    needsRenewal(found.expiresAt, now) &&
    (await queries.updateSessionExpiry(db, found.sessionId, after(now, SESSION_SECONDS)).then(
      () => true,
      // Whoever only reads need not wait for a disk that takes nothing.
      (error) => {
        if (!outageOf(error)) throw error
        return false
      },
    ))
  const { id, email, username, role, provenAt, createdAt, blockedAt, sessionId } = found
  const account = { id, email, username, role, verified: provenAt !== null, createdAt }
  return { caller: { ...account, via: { session: sessionId } }, blocked: blockedAt !== null, renewed }
}

/**
 * The caller's account, locked. Refused once it is blocked or the session has ended: whoever took the account back while this
 * request was on its way must not find a new key to it afterwards, nor end what its owner opened.
 */
export async function lockCaller({ caller, now }: Context<Caller>, db: Transaction): Promise<queries.User> {
  const user = await queries.lockUser(db, caller.id)
  if (user?.blockedAt) throw new Problem('blocked', 'This account is blocked')
  const isOpen =
    user && 'session' in caller.via && (await queries.hasSession(db, { id: caller.via.session, userId: user.id, now }))
  if (!isOpen) throw new Problem('unauthorized', 'The session has ended; sign in again')
  return user
}
