// The rules that things are reported and acted on by, and what moderators can do.

export const moderationRules = ['spam', 'abuse', 'illegal', 'malware', 'privacy', 'off_topic', 'other'] as const
export type ModerationRule = (typeof moderationRules)[number]

/** What decides a case. */
export const decisions = ['hide', 'delete', 'warn', 'block', 'remove_all', 'approve', 'dismiss'] as const
export type Decision = (typeof decisions)[number]

export const moderationActions = [...decisions, 'unblock', 'undo'] as const
export type ModerationAction = (typeof moderationActions)[number]

/** The account that such an act concerns gets a notice with the reason, and may appeal. */
export const noticed: ReadonlySet<ModerationAction> = new Set(['hide', 'delete', 'warn', 'block', 'remove_all'])

/** So long an act can be undone; after that what was removed is deleted. */
export const UNDO_DAYS = 30

/** What can be reported: the types of things that can be hidden, and members. */
export const reportable = [
  ...(['bug', 'feature', 'post', 'release', 'org', 'run', 'item', 'team', 'comment', 'user'] as const),
] as const
