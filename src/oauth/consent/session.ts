// The signed-in user of the site, as the authorization server needs it.

import type { Transaction } from '../../database/schema.ts'
import { findSession, getUser, shareSession, type User } from '../../identity/account-queries.ts'
import { findUserToIssueTo } from '../../identity/grant-queries.ts'
import type { EndpointRequest } from '../../request/endpoint.ts'
import type { Dependencies } from '../../request/handler.ts'
import { sha256 } from '../../runtime/hash.ts'
import type { Owner } from '../interactions.ts'
import { epochTime } from '../library-time.ts'

export interface Session extends Omit<Owner, 'decision'> {
  email: string
  username: string | null
}

/** undefined for an anonymous user and for a blocked account, which can do nothing here. */
export async function sessionOf(
  { db }: Dependencies,
  { sessionToken, now }: EndpointRequest,
): Promise<Session | undefined> {
  const found = sessionToken ? await findSession(db, sessionToken, now) : undefined
  if (!found || found.blockedAt || found.deletionAt) return undefined
  const { sessionId, sessionCreatedAt, id, email, username, passkeyId } = found
  const standing = standingOf(await getUser(db, id))
  const signedInAt = epochTime(Date.parse(sessionCreatedAt))
  return { sessionId, userId: id, email, username, signedInAt, standing, byPasskey: passkeyId !== null }
}

/** Changes with the password: a decision from before a change is not valid. */
const standingOf = ({ passwordHash }: Pick<User, 'passwordHash'>) => sha256(passwordHash ?? '')

/**
 * Whether account, session and password are unchanged since the page was shown. Locks all of them until the transaction ends: a
 * concurrent block, password change or sign-out waits.
 */
export async function standsStill(db: Transaction, session: Session, now: string): Promise<boolean> {
  const user = await findUserToIssueTo(db, session.userId)
  if (!user || standingOf(user) !== session.standing) return false
  return shareSession(db, { id: session.sessionId, userId: session.userId, now })
}
