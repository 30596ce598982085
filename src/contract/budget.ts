// What operations declare of budgets, and what a caller gets to know of one. The figures are in src/budgets/rules.ts.

/** What an account can use up by writing: each has a budget of its own. */
export type WriteBudget =
  | 'topics'
  | 'comments'
  | 'votes'
  | 'orgs'
  | 'runs'
  | 'images'
  | 'webhooks'
  | 'reports'
  | 'checks'
  | 'owners'
  | 'keys'
  | 'teams'
  | 'drafts'
  | 'machines'

/**
 * What an operation uses up. The pipeline holds a write's budget; `uploads` (the publishing rate of interface.md, section 8) is
 * held by the library, and `mails`, `registrations` and `cosignatures` where they are caused.
 */
export type BudgetName = WriteBudget | 'uploads' | 'mails' | 'registrations' | 'cosignatures'

/** How far a budget is used up, as the RateLimit headers say it. */
export interface BudgetStanding {
  /** The name of the policy, such as `topics-hour`. */
  policy: string
  quota: number
  remaining: number
  /** Absent for a quota that does not come back by waiting. */
  window?: { seconds: number; resetsInSeconds: number }
  unit?: 'content-bytes'
  /** Of a budget that many callers share, only a caller that it refuses gets to know. */
  shared?: true
}
