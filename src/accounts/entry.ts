// What every way in shares: the tries it counts, the session it opens and the account it answers with.

import { countTry, type Limit } from '../budgets/budgets.ts'
import { Problem } from '../contract/problem.ts'
import type { Transaction } from '../database/schema.ts'
import type { Context } from '../handler.ts'
import { avatarUrl } from './accounts.ts'
import type { Account } from './contract.ts'
import type { User } from './queries.ts'
import { deviceOf } from './sessions/device.ts'
import { openSession, sessionCookie } from './sessions/sessions.ts'

type Who = Pick<User, 'id' | 'email' | 'provenAt' | 'name' | 'username' | 'avatarUpdatedAt' | 'role'>

export const accountOf = ({ id, email, provenAt, name, username, avatarUpdatedAt, role }: Who): Account => ({
  id,
  email,
  emailVerified: provenAt !== null,
  name,
  username,
  image: avatarUrl({ id, avatarUpdatedAt }),
  role,
})

/** Counts a try at this key, unless limits are off. */
export async function limit({ config, db, now }: Context, key: string, limit: Limit): Promise<void> {
  if (config.rateLimits) await countTry(db, key, limit, now)
}

/** Opens a session for whoever just proved to be the account's owner. Refuses a blocked account. */
export async function signIn(
  { config, now, reply, userAgent }: Context,
  db: Transaction,
  user: User,
): Promise<{ user: Account }> {
  if (user.blockedAt) throw new Problem('blocked', 'This account is blocked')
  const token = await openSession(db, { userId: user.id, device: deviceOf(userAgent()) }, now)
  reply.append('Set-Cookie', sessionCookie(config.baseUrl, token))
  return { user: accountOf(user) }
}
