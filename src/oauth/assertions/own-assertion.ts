// An assertion that a client signs itself (RFC 7523, 3): for an account that lets it in and lets it stay. It gives no more than that grant does, and
// nothing where there is none: no client lets itself in.

import { isSignedSince } from '../../identity/credentials.ts'
import { findStayingGrant } from '../../identity/grant-life-queries.ts'
import { findUserToIssueTo, lockGrant } from '../../identity/grant-queries.ts'
import { refusal } from '../area.ts'
import type { ReadAssertion } from '../assertion.ts'
import { hasEnded } from '../bounds.ts'
import { signedByClient } from '../client-authentication.ts'
import type { OAuthContext } from '../oauth-context.ts'

const RULES = { longestSeconds: 600, required: ['jti'] } as const

const noGrant = () => refusal('invalid_grant', 'assertion: no account of that id lets this client stay')

export const ownAssertions =
  (parts: OAuthContext): ReadAssertion =>
  async ({ client, received: { now } }, token) => {
    const { db } = parts.dependencies
    const verified = await signedByClient(parts, client, { token, rules: RULES, now })
    const userId = verified.claims.sub
    const seen = await findStayingGrant(db, { userId, clientId: client.clientId, now })
    if (!seen) throw noGrant()
    return {
      ...verified,
      ...{ scope: seen.scope, bounds: undefined },
      async open(transaction, { bounds }) {
        if (bounds) throw refusal('invalid_authorization_details', 'the account said what this client may do')
        // Locks are taken in one order everywhere: account, grant.
        const user = await findUserToIssueTo(transaction, userId)
        const grant = await lockGrant(transaction, { id: seen.id })
        if (!user || !grant || grant.expiresAt <= now || !isSignedSince(user, verified.claims.iat)) throw noGrant()
        if (hasEnded(grant, now))
          throw refusal('invalid_grant', 'the time for which the account let this client in has passed')
        return grant
      },
    }
  }
