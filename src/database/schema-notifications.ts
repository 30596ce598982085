// The data model of following and notifications; schema.ts has the rest, and the rules for all of it.
import type { Generated } from 'kysely'
import type { AnyNotificationKind, Channel, NotificationKind } from '../contract/kinds.ts'

/** Who follows what. `installed` is of who downloaded a library item: new versions alone. */
export interface FollowTable {
  targetId: string
  userId: string
  state: 'following' | 'muted' | 'installed'
  createdAt: string
  /** The last event there was by then: the follower hears of later ones. None for a follow from before events were numbered. */
  since: number | null
}

/** Counters and settings of an account; no row is an empty inbox, and null is the default of a setting. */
export interface InboxTable extends Record<NotificationKind, Channel | null> {
  userId: string
  /** The number of the newest notification there ever was. */
  last: Generated<number>
  unread: Generated<number>
  /** Whether it was ever told of something in a closed board: then `unread` may count what the account does not read any more. */
  ofClosed: Generated<0 | 1>
  followWritten: 0 | 1 | null
  followAnswered: 0 | 1 | null
  followVoted: 0 | 1 | null
  pushMentions: 0 | 1 | null
  pushApprovals: 0 | 1 | null
  /** Before this moment no further mail is sent at once. */
  mailAfter: Generated<string>
  /** Digests up to this moment are sent. */
  dailyUntil: Generated<string>
  weeklyUntil: Generated<string>
}

export interface NotificationTable {
  userId: string
  /** Its position in the inbox, in the order in which they came. */
  position: number
  eventId: string
  kind: AnyNotificationKind
  read: 0 | 1
  createdAt: string
  /** The mail that it waits for, and when that is due; null for none. */
  mail: 'mail' | 'daily' | 'weekly' | null
  mailAt: string | null
}

/**
 * A notification that is out of its inbox while what it tells of is hidden or of a blocked account, as it was there; or that waits for the node
 * of its inbox, and has no position yet (0).
 */
export type TakenNotificationTable = NotificationTable

/** A list of the site as an account filtered it: its path with the query, once an account. */
export interface SavedFilterTable {
  id: string
  userId: string
  name: string
  path: string
  createdAt: string
}

/** A notification that waits to be pushed to a browser. */
export interface PushMessageTable {
  subscriptionId: string
  eventId: string
  createdAt: string
}

/** The key by which push services know this server. */
export interface PushKeyTable {
  /** Names the secret that seals it. */
  sealedBy: string
  publicKey: string
  sealed: string
  createdAt: string
}

/** An address without an account to which a digest is mailed. */
export interface GuestDigestTable {
  id: string
  email: string
  /** The id of a board; empty for the whole community. */
  topic: string
  /** That of the reader when it was asked for. */
  language: string | null
  createdAt: string
  /** null until the mailed link is used. */
  confirmedAt: string | null
  /** The next digest begins after it. */
  toldUntil: string | null
  dueAt: string | null
}

export interface NotificationsDatabase {
  guestDigest: GuestDigestTable
  pushMessage: PushMessageTable
  pushKey: PushKeyTable
  savedFilter: SavedFilterTable
  follow: FollowTable
  inbox: InboxTable
  notification: NotificationTable
  takenNotification: TakenNotificationTable
}
