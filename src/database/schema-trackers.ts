// Two ways with other trackers.

/** A link of a board with a repository there. */
export interface TrackerTable {
  id: string
  /** `github`. */
  source: string
  /** `owner/name`, as it was written; `nameKey` is the same in lower case. */
  name: string
  nameKey: string
  /** null for the first board. */
  boardId: string | null
  /** 1 where what is closed here may be read by everyone there. */
  publish: 0 | 1
  /** Both are sealed. */
  token: string
  secret: string
  /** Whose token it is, there. */
  ownId: string
  ownLogin: string
  state: 'on' | 'paused'
  /** What changed there since then is asked for next; '' for all. */
  since: string
  polledAt: string
  /** Of the last answer to that question. */
  etag: string
  /** The other side asked not to be asked before. */
  restUntil: string
  error: string | null
  errorAt: string | null
  createdBy: string | null
  createdAt: string
}

/** A bug or a comment here, and what it is there. It stays when one of the two goes, so that it does not come back. */
export interface TrackerPairTable {
  trackerId: string
  thingId: string
  type: 'bug' | 'comment'
  /** The bug of a comment. */
  onId: string | null
  /** Its number or id there; null until it is known that it was made. */
  sourceId: string | null
  number: number | null
  /** JSON: what both sides had of each field when they were last the same. */
  common: string
  /** When it was last tried to make it there. */
  triedAt: string | null
  lookedAt: string
}

/** A person of the other side. */
export interface TrackerPersonTable {
  trackerId: string
  /** Stays when they change their login. */
  personId: string
  login: string
  /** The account without a way in that has what they wrote; null before they wrote anything. */
  ownAccountId: string | null
  /** The account of a member for whom they act. */
  linkedAccountId: string | null
}

/** Something that has to be looked at: `issue:<number>` or `bug:<id>`. */
export interface TrackerWorkTable {
  trackerId: string
  key: string
  /** JSON: who did what, as deliveries said. */
  told: string
  /** How often it was asked for. */
  times: number
  attempts: number
  dueAt: string
  createdAt: string
}

/** A person of another tracker for whom an account asked a code, or who acts for it because they wrote that code there. */
export interface TrackerAccountTable {
  userId: string
  /** `github`. */
  service: string
  /** Where the service is: an id there is of another person elsewhere. */
  host: string
  personId: string
  login: string
  /** Of the code that waits to be read there, and until when; null once it was. */
  codeHash: string | null
  expiresAt: string | null
  /** When the account asked for the code. */
  createdAt: string
  linkedAt: string | null
}

export interface TrackersDatabase {
  tracker: TrackerTable
  trackerAccount: TrackerAccountTable
  trackerPair: TrackerPairTable
  trackerPerson: TrackerPersonTable
  trackerWork: TrackerWorkTable
}
