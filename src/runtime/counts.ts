// Counts of this process for /metrics, by one or two labels joined by `|`. Their labels are declared, and all of them begin at 0 with the
// process: an alert on an increase hears of the first one.

/** The key of one or two labels. */
export const keyOf = (first: string, second = ''): string => (second ? `${first}|${second}` : first)

/** Every pair of labels. */
export const pairsOf = (firsts: readonly string[], seconds: readonly string[]): string[] =>
  firsts.flatMap((first) => seconds.map((second) => keyOf(first, second)))

/** Counts of one thing. */
export class Counts<First extends string, Second extends string = ''> {
  readonly all: Map<string, number>

  constructor(firsts: readonly First[], seconds: readonly (Second | '')[] = ['']) {
    this.all = new Map(pairsOf(firsts, seconds).map((key) => [key, 0]))
  }

  add(first: First, second: Second, by = 1): void {
    const key = keyOf(first, second)
    this.all.set(key, (this.all.get(key) ?? 0) + by)
  }
}

const BLOB_OPERATIONS = ['stage', 'commit', 'read', 'path', 'stat', 'delete', 'put', 'get', 'remove'] as const
export type BlobOperation = (typeof BLOB_OPERATIONS)[number]
const CACHES = ['rows', 'answers', 'pages', 'parts'] as const
export type CacheName = (typeof CACHES)[number]

/** Mail by outcome. */
export const mailCounts = new Counts(['sent', 'retried', 'given_up'])
/** Calls of the store of files by operation and outcome. */
export const blobCounts = new Counts(BLOB_OPERATIONS, ['done', 'failed'])
/** Commits of SQLite, and the transactions in them. */
export const commitCounts = new Counts(['commits', 'transactions'])
/** Look-ups of all caches of this process by cache and outcome. */
export const cacheCounts = new Counts(CACHES, ['found', 'missed'])

/** Work for threads and image processes: what runs and what waits now. */
export const workNow = { running: 0, waiting: 0 }
