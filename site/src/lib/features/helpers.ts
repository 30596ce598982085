// Helpers of an app, as its account sees them.

export interface Helper {
  id: string
  /** What the agent above calls it. */
  name: string | null
  /** What it may do, and what bounds it, a sentence each. */
  may: string[]
  createdAt: string
  expiresAt: string
  lastUsedAt: string | null
  below: Helper[]
}
