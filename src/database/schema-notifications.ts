// The data model of following and notifications; schema.ts has the rest, and the rules for all of it.
import type { Generated } from 'kysely'
import type { AnyNotificationKind, Channel, NotificationKind } from '../contract/notification-kinds.ts'

/** Who follows what. `installed` is of who downloaded a library item: new versions alone. */
export interface FollowTable {
  targetId: string
  userId: string
  state: 'following' | 'muted' | 'installed'
  createdAt: string
}

/** What happened, once for all who are notified of it; or what has to disappear (`gone`, `hidden`, `blocked`). */
export interface EventTable {
  id: string
  kind:
    | 'created'
    | 'edited'
    | 'comment'
    | 'status'
    | 'merged'
    | 'unmerged'
    | 'released'
    | 'version'
    | 'yanked'
    | 'unyanked'
    | 'deprecated'
    | 'undeprecated'
    | 'notice'
    | 'invited'
    | 'asked'
    | 'shown'
    | 'gone'
    | 'hidden'
    | 'blocked'
  /** The type of a subject. */
  targetType: string
  targetId: string
  number: number | null
  title: string
  /** Where the site shows what happened. */
  url: string
  actorId: string | null
  commentId: string | null
  excerpt: string
  /** JSON: what only some kinds have. */
  detail: string | null
  /** A JSON array of usernames in lower case. */
  mentioned: string
  /** The account whose comment is replied to, or that gets a notice, an invitation or a question of its agent. */
  repliedTo: string | null
  /** Whether it is on a private item: then it is for webhooks of its owner alone. */
  hidden: 0 | 1
  createdAt: string
  /** The last account that is done; empty at first. */
  place: string
  /** How many notifications there are of it. */
  recipients: number
  doneAt: string | null
}

/** Counters and settings of an account; no row is an empty inbox, and null is the default of a setting. */
export interface InboxTable extends Record<NotificationKind, Channel | null> {
  userId: string
  /** The number of the newest notification there ever was. */
  last: Generated<number>
  unread: Generated<number>
  followWritten: 0 | 1 | null
  followAnswered: 0 | 1 | null
  followVoted: 0 | 1 | null
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

export interface NotificationsDatabase {
  savedFilter: SavedFilterTable
  follow: FollowTable
  event: EventTable
  inbox: InboxTable
  notification: NotificationTable
}

/** A list of the site as an account filtered it: its path with the query, once an account. */
export interface SavedFilterTable {
  id: string
  userId: string
  name: string
  path: string
  createdAt: string
}
