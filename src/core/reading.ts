// Reading what is no operation, such as a page, a feed or a tile of the log: the same gate as that of operations.
import type { Caller } from '../request/handler.ts'
import { timestamp } from '../runtime/clock.ts'
import {
  authenticate,
  authenticateSession,
  authorize,
  type Credentials,
  requireOwnUse,
  withHeldRole,
} from './authorize.ts'
import type { Core } from './call-request.ts'
import { isPrivate, mayRead, type Place } from './readers.ts'

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
export type Entry = 'reader' | 'anonymous' | 'no reader'

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
