// Authentication and authorization: the only place that checks credentials, scopes, blocks and roles.
import type { Access, Scope } from '../contract/operation.ts'
import { Problem } from '../contract/problem.ts'
import type { FailedProof, PresentedToken } from '../request/credentials.ts'
import type { Caller } from '../request/handler.ts'
import { type Readers, requireReader } from './readers.ts'

/** The credentials of a request. */
export interface Credentials {
  sessionToken: string | undefined
  accessToken: PresentedToken | undefined
  /** The server itself reads, for some readers at once: what all of them may read. */
  asReader?: true
}

export interface Authentication {
  caller: Caller
  /** Read afresh, like the caller's role. */
  blocked: boolean
  /** Whether the deletion of the account was requested. */
  leaving: boolean
  /** Until when the session lasts, if it was renewed just now: its cookie is due again. */
  renewedUntil?: string | undefined
  /** The key that an access token was shown with, and the nonce for its next proof (RFC 9449). */
  key?: string
  nonce?: string | undefined
}

/** A way in: turns a credential into an account, or undefined when it is not good. */
export type Authenticate<Credential, More = never> = (
  credential: Credential,
  now: string,
) => Promise<Authentication | More | undefined>

export interface Authenticators {
  session: Authenticate<string>
  bearer: Authenticate<PresentedToken, FailedProof>
  /** The key in the address of a feed: it reads feeds alone. */
  feed: Authenticate<string>
  /** Told of each use of a scope; no call waits for it. */
  used?(caller: Caller, scope: Scope | undefined, now: string): void
}

/** The session cookie counts first; an access token is looked at only without one (interface.md, section 5). */
export async function authenticate(
  authenticators: Authenticators,
  { sessionToken, accessToken }: Credentials,
  now: string,
): Promise<Authentication | FailedProof | undefined> {
  const bySession = sessionToken ? await authenticators.session(sessionToken, now) : undefined
  if (bySession) return bySession
  return accessToken && authenticators.bearer(accessToken, now)
}

/**
 * The caller of an operation, checked in the order of behaviour.md, section 2: 401, then 403 for scope, block, role and readers. If the
 * credential is optional, a caller with an insufficient one is anonymous. `access` is as the instance has it (`accessOf`).
 */
export function authorize(
  access: Access,
  authenticated: Authentication | FailedProof | undefined,
  readers: Readers,
): Caller | undefined {
  if (access.credential === 'none') return undefined
  if (access.credential === 'optional') {
    return authenticated?.caller &&
      !authenticated.blocked &&
      !authenticated.leaving &&
      hasScope(authenticated.caller, access.scope)
      ? authenticated.caller
      : undefined
  }
  if (!authenticated?.caller || (access.credential === 'session' && !('session' in authenticated.caller.via))) {
    const why = authenticated && 'fault' in authenticated ? { fault: authenticated.fault } : {}
    throw new Problem('unauthorized', 'Sign in, or send a valid bearer token', { ...firstScopes(access.scope), ...why })
  }
  const { caller, blocked, leaving } = authenticated
  if (!hasScope(caller, access.scope)) {
    throw new Problem('insufficient_scope', `The token lacks the scope ${access.scope}`, {
      scope: [...grantedScopes(caller), access.scope].join(' '),
    })
  }
  if (blocked) throw new Problem('blocked', 'This account is blocked')
  if (leaving && !access.whileLeaving) {
    throw new Problem('blocked', 'This account is being deleted; keep it first, in the settings of the site')
  }
  if (access.roles && !access.roles.includes(caller.role)) throw new Problem('forbidden', 'Forbidden')
  requireReader(readers, caller, access)
  return caller
}

/** The scope in the challenge for a client without a valid token. */
const firstScopes = (scope: Scope | undefined) => (scope ? { scope } : {})

/** A client replaces its scopes by those of the challenge, so the granted ones come first and the missing one is added. */
const grantedScopes = ({ via }: Caller): readonly Scope[] => ('scopes' in via ? via.scopes : [])

/** A session has every scope; a token has exactly its own: no scope implies another. */
function hasScope({ via }: Caller, scope: Scope | undefined): boolean {
  return scope === undefined || 'session' in via || via.scopes.includes(scope)
}
