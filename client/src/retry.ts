// Which failures are worth another try, and when.
import { BoundError, GuildhallError, NetworkError } from './errors.ts'
import type { Platform } from './platform.ts'

const FIRST_MILLISECONDS = 250
const LONGEST_MILLISECONDS = 8_000

export interface Retrying {
  platform: Platform
  /** Tries after the first one. */
  retries: number
  /** A server that asks for a longer wait is not waited for. */
  maxWaitSeconds: number
  signal?: AbortSignal | undefined
}

/** Runs `attempt` until it succeeds, fails for good, or was tried often enough. Only for what may be sent twice. */
export async function retrying<T>(options: Retrying, attempt: () => Promise<T>): Promise<T> {
  const { platform, retries, signal } = options
  for (let tried = 0; ; tried++) {
    try {
      return await attempt()
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      const milliseconds = delayOf(error, tried)
      if (milliseconds === undefined || tried >= retries || milliseconds > options.maxWaitSeconds * 1000) throw error
      await platform.wait(milliseconds, signal)
    }
  }
}

/**
 * Before the next try, in milliseconds: what the server asks for, or a random part of a time that doubles (so that clients that failed
 * together do not come back together). Undefined if it would fail again.
 */
function delayOf(error: unknown, tried: number): number | undefined {
  const backoff = Math.random() * Math.min(LONGEST_MILLISECONDS, FIRST_MILLISECONDS * 2 ** tried)
  if (error instanceof NetworkError) return error instanceof BoundError ? undefined : backoff
  if (!(error instanceof GuildhallError)) return undefined
  // A conflict that passes: the same request is still running.
  const passes = error.status === 409 && error.retryAfterSeconds !== undefined
  if (!passes && ![429, 502, 503, 504].includes(error.status)) return undefined
  return error.retryAfterSeconds === undefined ? backoff : error.retryAfterSeconds * 1000
}
