// Shared by all ways to sign in: the session it opens and the account it returns.
import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import type { User } from '../../identity/account-queries.ts'
import { rememberBrowser, rememberNetwork } from '../../identity/browsers.ts'
import { deviceOf } from '../../identity/device.ts'
import { browserMail } from '../../identity/mails.ts'
import { avatarUrl } from '../../identity/rules.ts'
import { openSession, sessionCookie } from '../../identity/sessions.ts'
import type { Context } from '../../request/handler.ts'
import type { Account } from './contract.ts'

type Who = Pick<
  User,
  'id' | 'email' | 'emailVerifiedAt' | 'name' | 'username' | 'avatarUpdatedAt' | 'role' | 'deletionAt' | 'language'
>

export const accountOf = ({
  id,
  email,
  emailVerifiedAt,
  name,
  username,
  avatarUpdatedAt,
  role,
  deletionAt,
  language,
}: Who): Account => ({
  id,
  email,
  emailVerified: emailVerifiedAt !== null,
  name,
  username,
  image: avatarUrl({ id, avatarUpdatedAt }),
  role,
  deletionAt,
  language,
})

/**
 * Opens a session for the owner of the account. Refuses a blocked account. A browser that is new to the account is mailed to its
 * owner, unless the owner hears of this sign-in otherwise.
 */
export async function signIn(
  context: Context,
  db: Transaction,
  { user, quiet = false, passkeyId }: { user: User; quiet?: boolean; passkeyId?: string },
): Promise<{ user: Account }> {
  if (user.blockedAt) throw new Problem('blocked', 'This account is blocked')
  const { config, now, reply, userAgent, address, outbox } = context
  const device = deviceOf(userAgent())
  const { token, expiresAt } = await openSession(db, { user, device, ...(passkeyId && { passkeyId }) }, now)
  reply.append('Set-Cookie', sessionCookie(config.baseUrl, token, { now, expiresAt }))
  const known = await rememberBrowser(context, db, user)
  await rememberNetwork(context, db, user)
  if (!known && !quiet) {
    await outbox.enqueue(db, { recipient: user.email, ...browserMail(config.baseUrl, { device, address, now }) })
  }
  return { user: accountOf(user) }
}
