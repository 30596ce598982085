// Closed lists that contracts, pages and the database share: the kinds of things, reactions, notifications and decisions. Without other imports, so
// that the scripts of pages can have them.
import { besideKinds, type ItemKind } from './item-kinds.ts'

/** What the feed can show, in the order in which its types are listed. Each is declared by a subject (src/subjects.ts). */
const kindsOfFeed = ['post', 'bug', 'feature', 'org', 'workflow', 'automation', 'release'] as const
export type FeedKind = (typeof kindsOfFeed)[number] | ItemKind
export const feedKinds = [...kindsOfFeed, ...besideKinds] as [FeedKind, ...FeedKind[]]

/** The reactions to comments, with the names that GitHub gives them, in the order in which pages show them. */
export const reactionKinds = ['thumbs_up', 'heart', 'hooray', 'laugh', 'confused', 'eyes'] as const
export type ReactionKind = (typeof reactionKinds)[number]

/**
 * What a search finds: everything of the feed, and what is around it. The place in this list is part of the numbers of stored documents
 * (src/search/queries.ts): a new type, of the feed or not, comes last.
 */
export const searchTypes = [
  ...(['comment', 'person', 'label', 'tag'] as const),
  ...kindsOfFeed,
  'team' as const,
  ...besideKinds,
] as const
export type SearchType = (typeof searchTypes)[number]

/** What members are notified of. */
export const notificationKinds = [
  'mention',
  'reply',
  'comment',
  'status',
  'version',
  'release',
  'posted',
  'invitation',
  'report',
  'approval',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** A decision of moderators: always shown, and mailed. It has no setting. */
export const NOTICE = 'notice'
export const allNotificationKinds = [...notificationKinds, NOTICE] as const
export type AnyNotificationKind = (typeof allNotificationKinds)[number]

/** `site` is the inbox alone; the mails come beside it, at once or in a digest. */
export const channels = ['off', 'site', 'mail', 'daily', 'weekly'] as const
export type Channel = (typeof channels)[number]

/** The rules that things are reported and acted on by. */
export const moderationRules = ['spam', 'abuse', 'illegal', 'malware', 'privacy', 'off_topic', 'other'] as const
export type ModerationRule = (typeof moderationRules)[number]

/** For what a classifier has a thing wait for a moderator (content/classifier). */
export const machineHolds = ['hold', 'spam'] as const
export type HeldVerdict = (typeof machineHolds)[number]

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
