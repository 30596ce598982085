// When to try again, as the script says it.
import { word } from './words.ts'

/** "Try again in 12 minutes.", from the seconds of Retry-After. */
export function retry(seconds: number): string {
  if (!(seconds > 0)) return word('page.retrySoon')
  return seconds < 60
    ? word('page.retrySeconds', { count: seconds })
    : word('page.retryMinutes', { count: Math.ceil(seconds / 60) })
}
