// Counts of this process for /metrics, by one or two labels joined by `|`. They begin at 0 with the process.

/** Counts of one thing. */
export class Counts {
  readonly all = new Map<string, number>()

  add(first: string, second: string, by = 1): void {
    const key = second ? `${first}|${second}` : first
    this.all.set(key, (this.all.get(key) ?? 0) + by)
  }
}

/** Mail by outcome: sent, retried, given_up. */
export const mailCounts = new Counts()
/** Calls of the store of files by operation and outcome: done, failed. */
export const blobCounts = new Counts()
/** Commits of SQLite, and the transactions in them. */
export const commitCounts = new Counts()

/** Work for threads and image processes: what runs and what waits now. */
export const workNow = { running: 0, waiting: 0 }
