// What the things of a subject can do. A subject lists its capabilities (`can`), in this order, which is also the order in which a transaction
// that holds a thing locks what belongs to it (docs/data.md). Pure data, so that a browser can load it.

/** Of each capability: what it is, the operations that it adds, and the tables whose rows it locks. */
export const capabilities = {
  lists: { what: 'lists, pages and counts', operations: ['list', 'get'], tables: [] },
  writes: { what: 'members write it and remove it', operations: ['create', 'delete'], tables: [] },
  edits: { what: 'changes of its text, with the texts before', operations: ['edit', 'revisions'], tables: [] },
  closes: { what: 'its author closes it, and opens it again', operations: ['close', 'statusChanges'], tables: [] },
  merges: {
    what: 'one goes over to another of its kind',
    operations: ['merge', 'undoMerge', 'merged'],
    tables: ['mergeUndo', 'mergedThing', 'mergedPart'],
  },
  votes: { what: 'votes up and down', operations: ['vote'], tables: ['vote'] },
  comments: { what: 'comments and replies', operations: ['comments', 'comment', 'deleteComment'], tables: ['comment'] },
  pins: { what: 'moderators pin it above its list', operations: [], tables: ['threadState'] },
  locks: { what: 'moderators lock its comments', operations: [], tables: ['threadState'] },
  solves: { what: 'a comment is marked as its solution', operations: [], tables: ['threadState'] },
  assigns: { what: 'assignees and a day when it is due', operations: [], tables: ['threadState', 'assignment'] },
  concerns: { what: 'it names the version of an item that it is about', operations: [], tables: ['feedback'] },
  follows: { what: 'accounts follow it and mute it', operations: [], tables: ['follow'] },
  labels: {
    what: 'labels',
    operations: ['attachLabel', 'detachLabel'],
    tables: ['bugLabel', 'featureLabel', 'postLabel'],
  },
  moves: { what: 'it is in a board, and goes to another', operations: [], tables: [] },
  reports: { what: 'it is reported, held and hidden', operations: [], tables: ['report', 'evidence'] },
} as const satisfies Record<string, Described>

interface Described {
  what: string
  /** In the contract of the subject. */
  operations: readonly string[]
  tables: readonly string[]
}

/**
 * The places where transactions wait for each other, in the order in which a transaction locks them. What is stored under another lock, as
 * comments are under that of their thing, and credentials under that of their account, needs no place.
 */
export const lockPlaces = [
  { what: 'the idempotency key, whose count comes after everything else', tables: ['idempotencyKey'] },
  { what: 'the name of stored bytes', tables: [] },
  { what: 'the log of what was told, before the event that is added to it', tables: [] },
  { what: 'the case that moderators decide', tables: ['moderationCase'] },
  { what: 'the account, then its mailed code or claim, then its grant', tables: ['user'] },
  { what: 'the board that something goes to', tables: ['board'] },
  {
    what: 'the thing, whose row guards everything that belongs to it; two of a kind by their ids, and an item before the team that holds or takes it',
    tables: ['bug', 'feature', 'post', 'release', 'orgUpload', 'libraryItem', 'team'],
  },
  { what: 'what the write uses up, by key', tables: ['rateLimit'] },
  { what: 'the bytes that accounts store', tables: ['storedBytes'] },
  { what: 'the slug', tables: ['slug'] },
  { what: 'the domain in a name', tables: ['nameDomain'] },
  {
    what: 'the counters, each by key: those of the thing, then of the feed, then of the library; last those of tags',
    tables: ['counter', 'itemCount'],
  },
  { what: 'the words of the search', tables: ['searchWord'] },
] as const

export type CapabilityName = keyof typeof capabilities

/** A capability of a subject, with what it needs to know of that. */
export interface Capability {
  name: CapabilityName
}

/** What closing and opening again means for the status of a subject. */
export interface ClosingRule {
  open: string
  closed: string
  /** The statuses that closing ends; any other one is a moderator's decision. */
  from: readonly string[]
}

/** What can be decided about a thing beside its record. */
export type ThreadCapability = 'pin' | 'lock' | 'solve' | 'assign'

export const lists = { name: 'lists' } as const
export const writes = { name: 'writes' } as const
export const edits = { name: 'edits' } as const
export const closes = (closing: ClosingRule) => ({ name: 'closes', closing }) as const
export const merges = { name: 'merges' } as const
export const votes = { name: 'votes' } as const
/** `parent` is the field of a comment that names what it is on. */
export const comments = <const Parent extends string>(parent: Parent) => ({ name: 'comments', parent }) as const
export const pins = { name: 'pins', decides: 'pin' } as const
export const locks = { name: 'locks', decides: 'lock' } as const
export const solves = { name: 'solves', decides: 'solve' } as const
export const assigns = { name: 'assigns', decides: 'assign' } as const
export const concerns = { name: 'concerns', about: true } as const
/** Its author and those who comment on it follow it by themselves. */
export const follows = { name: 'follows', follow: true } as const
/** The table of the labels, and the permission of those who put them on a thing. */
export const labels = <const Table extends string>(table: Table, permission: string) =>
  ({ name: 'labels', labels: { table, permission } }) as const
export const moves = { name: 'moves', boards: true } as const
export const reports = { name: 'reports' } as const
