// What each check of `npm run admin -- check` gives.

/** What a check found: all is well; something to know; something that is wrong; or why there was nothing to look at. */
export interface CheckResult {
  state: 'ok' | 'warning' | 'error' | 'skipped'
  detail: string
}
