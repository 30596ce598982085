// How fast a body must come: one that stands still, or drips, holds a place and what was staged of it. Only the time in which we wait for
// its sender counts.
import { Problem } from '../../contract/problem.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Watch } from '../../storage/multipart.ts'

/** Of a body whose sender is waited for. */
export const LEAST_BYTES_A_SECOND = 32 * 1024
export const WINDOW_SECONDS = 60
/** Of a whole upload. */
export const MOST_SECONDS = 15 * 60

const TICK_MILLISECONDS = 500

/** Watches a form: `arrived` of what holds its bytes hears of each piece. */
export function watchPace(clock: Pick<Clock, 'elapsed'>, arrived: (bytes: number) => void): Watch {
  const elapsed = () => clock.elapsed()
  const begun = elapsed()
  let timer: NodeJS.Timeout | undefined
  let waitingSince: number | undefined
  const window = { bytes: 0, waited: 0 }
  const stopWaiting = () => {
    if (waitingSince !== undefined) window.waited += elapsed() - waitingSince
    waitingSince = undefined
  }
  const isTooSlow = (): boolean => {
    if (elapsed() - begun >= MOST_SECONDS * 1000) return true
    const waited = window.waited + (waitingSince === undefined ? 0 : elapsed() - waitingSince)
    if (waited < WINDOW_SECONDS * 1000) return false
    const isSlow = window.bytes < LEAST_BYTES_A_SECOND * WINDOW_SECONDS
    Object.assign(window, { bytes: 0, waited: 0 })
    if (waitingSince !== undefined) waitingSince = elapsed()
    return isSlow
  }
  return {
    begin(fail) {
      timer = setInterval(() => isTooSlow() && fail(tooSlow()), TICK_MILLISECONDS).unref()
    },
    waits() {
      waitingSince = elapsed()
    },
    arrived(bytes) {
      stopWaiting()
      window.bytes += bytes
      arrived(bytes)
    },
    end() {
      clearInterval(timer)
    },
  }
}

/** Holds a small body, which is read whole, to the same pace: it has the time in which the slowest sender sends that much. */
export async function inTime<Bytes>(reading: Promise<Bytes>): Promise<Bytes> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(tooSlow()), WINDOW_SECONDS * 1000)
  reading.catch(() => {})
  try {
    return await Promise.race([reading, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

const tooSlow = () => new Problem('too_slow', 'The body came too slowly; send it faster, or less of it')
