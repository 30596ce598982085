// Who is signed in to the site, as the authorization server needs to know it.
import { findSession } from '../../accounts/accounts.ts'
import type { Visit } from '../../endpoint.ts'
import type { Ground } from '../../handler.ts'
import { sha256 } from '../../platform/hash.ts'

export interface Session {
  id: string
  userId: string
  email: string
  username: string | null
  /** In seconds since 1970, by the system's clock. */
  signedInAt: number
}

/** undefined for nobody, and for a blocked account, which can do nothing here. */
export async function sessionOf({ db, clock }: Ground, { sessionToken, now }: Visit): Promise<Session | undefined> {
  const found = sessionToken ? await findSession(db, sha256(sessionToken), now) : undefined
  if (!found || found.blockedAt) return undefined
  const { sessionId, sessionCreatedAt, id, email, username } = found
  const signedInAt = Math.floor((Date.parse(sessionCreatedAt) + Date.now() - clock.now()) / 1000)
  return { id: sessionId, userId: id, email, username, signedInAt }
}
