// The claims about an account that a client may read, with the names of OpenID Connect.

import type { Config } from '../config/config.ts'
import type { User } from '../identity/account-queries.ts'
import { avatarUrl } from '../identity/rules.ts'

/** OpenID Connect Core, 5.1. */
export function claimsOf(user: User, { baseUrl }: Pick<Config, 'baseUrl'>) {
  const picture = avatarUrl(user)
  return {
    ...(user.name && { name: user.name }),
    ...(user.username && { preferred_username: user.username }),
    ...(picture && { picture: `${baseUrl}${picture}` }),
    email: user.email,
    email_verified: user.emailVerifiedAt !== null,
  }
}
