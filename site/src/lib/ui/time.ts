// Times in words.
import type { SiteWords } from '#lib/language/catalogue.ts'

/** "3 hours ago", "just now"; a date when it is 28 days away or more. `now` in milliseconds. */
export const relative = (t: SiteWords, at: string, now: number): string =>
  Math.abs(now - Date.parse(at)) < 60_000 ? t('ui.justNow') : t.ago(at, now)
