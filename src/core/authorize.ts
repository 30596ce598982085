// Authentication and authorization of calls, and of reading what is no operation: the only place that checks credentials, scopes, blocks and roles.
import type { Config } from '../config/config.ts'
import type { Access, Operation, Role, Scope } from '../contract/operation.ts'
import { PUBLISHING_CLIENT, WIDGET_CLIENT } from '../contract/own-clients.ts'
import { Problem } from '../contract/problem.ts'
import type { FailedProof } from '../request/credentials.ts'
import type { Caller } from '../request/handler.ts'
import { timestamp } from '../runtime/clock.ts'
import type { Authentication, Authenticators, Core, Credentials } from './call-request.ts'
import { isPrivate, mayRead, type Place, type Readers, requireReader } from './readers.ts'

/** The session cookie counts first; an access token is looked at only without one (interface.md, section 5). */
export async function authenticate(
  authenticators: Authenticators,
  credentials: Credentials,
  now: string,
): Promise<Authentication | FailedProof | undefined> {
  const { accessToken, skillKey, chatUser } = credentials
  if (skillKey !== undefined) return authenticators.skills(skillKey, now)
  if (chatUser !== undefined) return authenticators.chat(chatUser, now)
  const bySession = await authenticateSession(authenticators, credentials, now)
  if (bySession) return bySession
  return accessToken && authenticators.bearer(accessToken, now)
}

/** Who a session is of. */
async function authenticateSession(
  { session }: Pick<Authenticators, 'session'>,
  { sessionToken, page }: Pick<Credentials, 'sessionToken' | 'page'>,
  now: string,
): Promise<Authentication | undefined> {
  if (!sessionToken) return undefined
  if (!page) return session(sessionToken, now)
  page.found ??= session(sessionToken, now)
  return page.found
}

/**
 * The caller of an operation, checked in the order of behaviour.md, section 2: 401, then 403 for scope, block, role and readers. If the
 * credential is optional, a caller with an insufficient one is anonymous. `access` is as the instance has it (`accessOf`).
 */
export function authorize(
  access: Access,
  authenticated: Authentication | FailedProof | undefined,
  readers: Readers & Pick<Config, 'rolesNeedPasskey'>,
): Caller | undefined {
  if (access.credential === 'none') return undefined
  if (access.credential === 'optional') {
    return authenticated?.caller &&
      !authenticated.blocked &&
      !authenticated.leaving &&
      hasScope(authenticated.caller, access.scope)
      ? withHeldRole(readers, authenticated.caller)
      : undefined
  }
  if (!authenticated?.caller || (access.credential === 'session' && !('session' in authenticated.caller.via))) {
    const why = authenticated && 'fault' in authenticated ? { fault: authenticated.fault } : {}
    throw new Problem('unauthorized', 'Sign in, or send a valid bearer token', { ...firstScopes(access.scope), ...why })
  }
  const { blocked, leaving } = authenticated
  const caller = withHeldRole(readers, authenticated.caller)
  if (!hasScope(caller, access.scope)) {
    throw new Problem('insufficient_scope', `The token lacks the scope ${access.scope}`, {
      scope: [...grantedScopes(caller), access.scope].join(' '),
    })
  }
  if (blocked) throw new Problem('blocked', 'This account is blocked')
  if (leaving && !access.whileLeaving) {
    throw new Problem('blocked', 'This account is being deleted; keep it first, in the settings of the site')
  }
  if (access.roles && !access.roles.includes(caller.role)) throw refusalOfRole(access.roles, caller)
  requireReader(readers, caller, access)
  return caller
}

/**
 * A token of trusted publishing calls what publishes, which sees to its item (library/publishers), and one of the widget calls the operations
 * that are for it (`widget`), on everything that its account reads. Neither does anything else: not even what every caller may read. Throws
 * `outside_bounds`.
 */
export function requireOwnUse(
  { publishes, widget }: Pick<Operation, 'publishes' | 'widget'>,
  authenticated: Pick<Authentication, 'caller'> | FailedProof | undefined,
): void {
  const via = authenticated?.caller?.via
  if (!via || !('clientId' in via)) return
  if (!publishes && via.clientId === PUBLISHING_CLIENT)
    throw new Problem('outside_bounds', 'This token publishes one item, and does nothing else')
  if (!widget && via.clientId === WIDGET_CLIENT)
    throw new Problem('outside_bounds', 'This token is of the widget, and does nothing else')
}

/** Gives the client the nonce for its next proof, if it needs another (RFC 9449, 8.2). */
export function setNonce(reply: Headers, authenticated: Authentication | FailedProof | undefined): void {
  const nonce = authenticated && 'fault' in authenticated ? authenticated.fault.nonce : authenticated?.nonce
  if (nonce) reply.set('DPoP-Nonce', nonce)
}

/** What a caller hears whose role is none of these. */
export const refusalOfRole = (roles: readonly Role[], { withheld }: Caller): Problem =>
  withheld && roles.includes(withheld) ? passkeyNeeded() : new Problem('forbidden', 'Forbidden')

/** The scope in the challenge for a client without a valid token. */
const firstScopes = (scope: Scope | undefined) => (scope ? { scope } : {})

/** A client replaces its scopes by those of the challenge, so the granted ones come first and the missing one is added. */
const grantedScopes = ({ via }: Caller): readonly Scope[] => ('scopes' in via ? via.scopes : [])

/** A session has every scope; a token has exactly its own: no scope implies another. */
function hasScope({ via }: Caller, scope: Scope | undefined): boolean {
  return scope === undefined || 'session' in via || via.scopes.includes(scope)
}

/** What a caller hears who tries another way. */
export const EXTERNAL_ONLY = 'Everyone signs in with the external provider here; open the sign-in page of the site'

/** Throws where an operation is a way in of Guildhall and the external provider is the only one. */
export function requireWayIn({ signIn }: Pick<Config, 'signIn'>, { ownWayIn }: Pick<Operation, 'ownWayIn'>): void {
  if (ownWayIn && signIn === 'external') throw new Problem(ownWayIn, EXTERNAL_ONLY)
}

export const PASSKEY_NEEDED =
  'A role counts only in a session with a passkey here, never for a token; add one or confirm with it in your settings, under Security'

/** The refusal of what the role of the account could do. */
export const passkeyNeeded = (): Problem => new Problem('reauthentication_required', PASSKEY_NEEDED)

/** What a withheld role may have refused; a refusal that gives a reason of its own keeps it, and its challenge. */
export const isOfRole = ({ code, message }: Problem): boolean => code === 'forbidden' && message === 'Forbidden'

/**
 * The caller with the role that counts now. Where roles need a passkey (ROLES_NEED_PASSKEY), a moderator or an admin is a member to every operation,
 * unless a passkey was used in the session. A call with a token is always that of a member then: a program has no passkey.
 */
export function withHeldRole<Who extends Pick<Caller, 'role' | 'via' | 'withheld'>>(
  { rolesNeedPasskey }: Pick<Config, 'rolesNeedPasskey'>,
  caller: Who,
): Who {
  const { role, via } = caller
  if (!rolesNeedPasskey || role === 'member' || ('session' in via && via.byPasskey)) return caller
  return { ...caller, role: 'member', withheld: role }
}

// Reading what is no operation, such as a page, a feed or a tile of the log: the same gate as that of operations.

type ReadingCore = Pick<Core, 'authenticators' | 'dependencies'>

/**
 * Throws where who sent a request may not read in a place, as an operation of its area does.
 *
 * @param place with `needsAccount`, it takes an account on a public instance too
 */
export async function requireReading(
  core: ReadingCore,
  credentials: Credentials,
  { area, needsAccount = false }: Place & { needsAccount?: boolean },
): Promise<void> {
  const { config, clock } = core.dependencies
  if (!isPrivate(config) && !needsAccount) return
  const found = await authenticate(core.authenticators, credentials, timestamp(clock.now()))
  requireOwnUse({}, found)
  const scope = area.reading
  authorize({ area, credential: 'required', ...(scope && { scope }) }, found, config)
}

/** Throws where the key of a secret address opens nothing in a place, as an operation that needs an account does. */
export async function requireSkillKey(core: ReadingCore, skillKey: string, { area }: Place): Promise<void> {
  const { config, clock } = core.dependencies
  const credentials = { sessionToken: undefined, accessToken: undefined, skillKey }
  const found = await authenticate(core.authenticators, credentials, timestamp(clock.now()))
  const scope = area.reading
  authorize({ area, credential: 'required', ...(scope && { scope }) }, found, config)
}

/** How far a request of the site gets, by its session or the key of a feed. */
type Entry = 'reader' | 'anonymous' | 'no reader'

/** Who asks for a page. A key opens feeds alone. */
export async function entryOf(
  core: ReadingCore,
  { feedKey, ...credentials }: Pick<Credentials, 'sessionToken' | 'page'> & { feedKey: string | undefined },
  place: Place,
): Promise<Entry> {
  const { config, clock } = core.dependencies
  const now = timestamp(clock.now())
  const byKey = feedKey === undefined ? undefined : await core.authenticators.feed(feedKey, now)
  const found = byKey ?? (await authenticateSession(core.authenticators, credentials, now))
  if (!found) return 'anonymous'
  return !found.blocked && !found.leaving && mayRead(config, found.caller, place) ? 'reader' : 'no reader'
}

/** The account of the key of a feed, as far as it may read in a place: its boards are read with the key. */
export async function keyHolder(core: ReadingCore, feedKey: string, place: Place): Promise<Caller | undefined> {
  const { config, clock } = core.dependencies
  const found = await core.authenticators.feed(feedKey, timestamp(clock.now()))
  if (!found || found.blocked || found.leaving || !mayRead(config, found.caller, place)) return undefined
  return withHeldRole(config, found.caller)
}
