// A job: work besides requests, as a feature declares it. What is to be done stands in rows that were written in the transaction of their
// cause; the table of jobs says who works on it, how far it got, and how it failed.

import type { Transaction } from '../../database/schema.ts'

/** Something that waits. */
export interface WaitingKey {
  /** Of the row that it is about; '' for a queue, whose batches take what is next by themselves. */
  key: string
  /** When it began to wait, where that is known. */
  since?: string
}

/** What wakes a job. */
export type Wake =
  /** What waits, the longest first; looked at every second. While a process works on a key, no other one does. */
  | { find(options: { now: string; limit: number }): Promise<readonly WaitingKey[]> }
  /** The seconds between two ends, in one of the processes that share the database. */
  | { every: number }
  /** Once for this version of the work, in one process. */
  | { once: string }
  /**
   * The seconds between two beginnings, in each process: what it has in its memory. Turns of one that is `overlapping` begin also while an
   * earlier one waits.
   */
  | { inEachProcess: number; overlapping?: true }

/** One turn at a job. */
export interface JobRun {
  key: string
  /** What the batch before gave; '' at first. */
  cursor: string
  /** Aborted when the process stops. A batch that is long looks at it. */
  signal: AbortSignal
  /** Of a batch that takes longer than a lease: says that this process is still at it. Throws where another one is by now. */
  renew(): Promise<void>
}

export interface Job {
  /** `<subject>.<verb>`. */
  kind: string
  /** What it does, for operators. */
  summary: string
  wake: Wake
  /**
   * Does a little: a short transaction. Gives the cursor of the next batch ('' where rows say what is left); undefined at the end. What it
   * does may have been done already, by a process that ended before it could note that: the rows of the cause say so.
   */
  batch(run: JobRun): Promise<string | undefined>
  /** Kinds of one lane run one after the other in a process. */
  lane?: string
  /** Keys that one process works on at once; 1 otherwise. */
  atOnce?: number
  /** It is given up after so many attempts; otherwise it is tried until it succeeds. */
  attempts?: number
  /** What follows where it is given up. */
  giveUp?(run: Pick<JobRun, 'key'>): Promise<void>
  /**
   * Undoes what `giveUp` did, if it did, so that `find` finds it again. An operator lets it run again; the transaction is the one that changes
   * the row of the job.
   */
  retry?(db: Transaction, key: string): Promise<void>
  /** A batch may take so long, and its lease is renewed until then; otherwise it ends within a lease, or renews it by itself. */
  longestBatchSeconds?: number
}

/** A job as it is declared, without what it works with: enough to say how it goes, and to let it run again. */
export type DeclaredJob = Pick<Job, 'kind' | 'summary' | 'wake' | 'retry'>

/** Seconds after which the work of a process that ended goes on in another one, and within which a batch ends or renews its lease. */
export const LEASE_SECONDS = 30
/** A lease is renewed when so much of it is over. */
export const RENEWED_AFTER_SECONDS = 8
/** The longest pause between two attempts. */
export const MAX_BACKOFF_SECONDS = 300

/** Seconds until the next attempt after so many: 1, 2, 4, ..., less up to a half by `random` (0 to 1), so that processes do not meet. */
export const backoffSeconds = (attempts: number, random: number): number =>
  Math.min(2 ** (attempts - 1), MAX_BACKOFF_SECONDS) * (1 - random / 2)

/** For a batch that says whether there may be more; rows say where it goes on. */
export const more = (mayBeMore: boolean): string | undefined => (mayBeMore ? '' : undefined)

/** A queue whose batches take what is next by themselves. */
export const queue = (oldest: { since?: string } | undefined): WaitingKey[] => (oldest ? [{ key: '', ...oldest }] : [])
