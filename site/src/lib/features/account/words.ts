// When to try again.
import type { SiteWords } from '#lib/language/catalogue.ts'

/** "Try again in 12 minutes.", from the seconds of Retry-After. */
export function retry(t: SiteWords, seconds: number): string {
  if (!(seconds > 0)) return t('errors.retrySoon')
  return seconds < 60
    ? t('errors.retrySeconds', { count: seconds })
    : t('errors.retryMinutes', { count: Math.ceil(seconds / 60) })
}
