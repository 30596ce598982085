// What happened, for notifications and webhooks; schema.ts has the rules for all of it.

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
    | 'solved'
    | 'assigned'
    | 'decided'
    | 'version'
    | 'yanked'
    | 'unyanked'
    | 'deprecated'
    | 'undeprecated'
    | 'notice'
    | 'invited'
    | 'asked'
    | 'judged'
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
  /** Its number in the order in which they came, which no clock decides; none for one from before there were numbers. */
  sequence: number | null
  /** The last account that is done; empty at first. A mark before it says that a block or a hiding took the event away, or that it waits by itself. */
  place: string
  /** How many notifications there are of it. */
  recipients: number
  doneAt: string | null
}

export interface EventsDatabase {
  event: EventTable
}
