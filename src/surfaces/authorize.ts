// Who is calling, and whether they may: the only place that looks at credentials, scopes, blocks and roles.
import type { Access, Scope } from '../contract/operation.ts'
import { Problem } from '../contract/problem.ts'
import type { Caller } from '../handler.ts'

/** What a request brought to show who it is from. */
export interface Credentials {
  sessionToken: string | undefined
  bearerToken: string | undefined
}

export interface Identified {
  caller: Caller
  /** Read afresh, like the caller's role. */
  blocked: boolean
  /** Whether the session was renewed just now, so that its cookie is due again. */
  renewed?: boolean
}

/** A way in: turns a credential into an account, or undefined when it is not good. */
export type Identify = (credential: string, now: string) => Promise<Identified | undefined>

export interface WaysIn {
  session: Identify
  bearer: Identify
}

/** The session cookie counts first; a bearer token is looked at only without one (interface.md, section 5). */
export async function identify(
  waysIn: WaysIn,
  { sessionToken, bearerToken }: Credentials,
  now: string,
): Promise<Identified | undefined> {
  const bySession = sessionToken ? await waysIn.session(sessionToken, now) : undefined
  if (bySession) return bySession
  return bearerToken ? waysIn.bearer(bearerToken, now) : undefined
}

/**
 * The caller an operation gets, in the order of behaviour.md, section 2: 401, then 403 for scope, block and role.
 * Where a credential is optional, one that does not suffice makes a stranger.
 */
export function authorize(access: Access, identified: Identified | undefined): Caller | undefined {
  if (access.credential === 'none') return undefined
  if (access.credential === 'optional') {
    return identified && !identified.blocked && hasScope(identified.caller, access.scope)
      ? identified.caller
      : undefined
  }
  if (!identified || (access.credential === 'session' && !('session' in identified.caller.via))) {
    throw new Problem('unauthorized', 'Sign in, or send a valid bearer token', firstScopes(access.scope))
  }
  const { caller, blocked } = identified
  if (!hasScope(caller, access.scope)) {
    throw new Problem('insufficient_scope', `The token lacks the scope ${access.scope}`, {
      scope: [...grantedScopes(caller), access.scope].join(' '),
    })
  }
  if (blocked) throw new Problem('blocked', 'This account is blocked')
  if (access.roles && !access.roles.includes(caller.role)) throw new Problem('forbidden', 'Forbidden')
  return caller
}

/**
 * What a client without a valid token asks for: the operation's scope, and `offline_access`, which the server's metadata
 * offers, so that the client stays connected.
 */
const firstScopes = (scope: Scope | undefined) => (scope ? { scope: `${scope} offline_access` } : {})

/** A client replaces its scopes by those of the challenge, so the granted ones come first and the missing one is added. */
const grantedScopes = ({ via }: Caller): readonly Scope[] => ('scopes' in via ? via.scopes : [])

/** A session has every scope; a token has its own, to the letter: none implies another. */
function hasScope({ via }: Caller, scope: Scope | undefined): boolean {
  return scope === undefined || 'session' in via || via.scopes.includes(scope)
}
