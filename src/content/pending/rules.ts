// How long writes of agents wait for a yes, how many, and the states of one. Which acts wait is `asksFirst` in contract/bounds.ts.
import type { GrantBounds } from '../../contract/bounds.ts'
import type { PendingState } from '../../contract/pending.ts'
import type { PendingActTable } from '../../database/schema.ts'
import { parseJson } from '../../runtime/untyped.ts'

const DAY = 86_400
/** So long an act waits. */
export const WAITING_SECONDS = 7 * DAY
/** So long it is listed after that. */
export const LISTED_SECONDS = 30 * DAY
/** Of one grant at once. */
export const MAX_WAITING = 20
/** Of one account. */
export const ASKED_RATE = { count: 60, windowSeconds: 3600 }
/** Of the requests and previews of one account that are listed still, in characters. */
export const MAX_KEPT = 64 * 1_048_576
/** How long an agent should wait before it looks again (`Retry-After`). */
export const RETRY_AFTER_SECONDS = 60
/** Of the answer in a preview, in characters; more is left out. */
export const MAX_PREVIEW = 65_536
export const MAX_REASON = 300

/** The grant of an act, where it is still there. */
export interface ItsGrant {
  grantExpiresAt: string | null
  grantBounds: string | null
}

/** Whether the agent still has access. */
function isLive({ grantExpiresAt, grantBounds }: ItsGrant, now: string): boolean {
  if (grantExpiresAt === null || grantExpiresAt <= now) return false
  const until = grantBounds === null ? undefined : parseJson<GrantBounds>(grantBounds).until
  return until === undefined || until > now
}

/** What has become of an act by now. */
export function stateOf(act: Pick<PendingActTable, 'state' | 'expiresAt'> & ItsGrant, now: string): PendingState {
  if (act.state !== 'waiting') return act.state
  if (!isLive(act, now)) return 'ended'
  return act.expiresAt <= now ? 'expired' : 'waiting'
}
