// When a batch of SQLite's writers is committed (writer.ts), and how callers of one batch get into the next one.
import { setTimeout } from 'node:timers/promises'
import type { WriteAheadLog } from './write-ahead-log.ts'

/** A batch is committed once it holds this many transactions or is this old, however many writers still wait. */
const BATCH_TRANSACTIONS = 128
const BATCH_MILLISECONDS = 25
/**
 * Earlier on a fast disk: once it holds this many transactions and has been open this many times as long as a commit takes. Clients
 * with an early response send their next request early, and waiting for a cheap commit gains nothing.
 */
const SMALL_BATCH_TRANSACTIONS = 16
const SMALL_BATCH_COMMITS = 4
const SLOW_SYNC_MILLISECONDS = 2

/** Syncs a commit to disk (write-ahead-log.ts). */
export type Log = Omit<WriteAheadLog, 'closeFiles'>

export interface WriterOptions {
  /** Without it a commit is on disk as soon as it is made. */
  log?: Log | undefined
  /** Called at each commit, before it is on disk, with the number of transactions in it. */
  onCommit?(transactions: number): void
  /** Called when readers see another commit. */
  onVisible?(): void
  /** Called once, when writes are disabled. */
  onBroken?: ((error: Error) => void) | undefined
}

export interface WaitingCall {
  resolve(): void
  reject(error: unknown): void
}

/**
 * On a slow disk, callers of the last batch get some time to join the next one: otherwise they would form two groups that wait for
 * each other.
 */
export async function pauseAfter(milliseconds: number, answered: number): Promise<void> {
  if (milliseconds >= SLOW_SYNC_MILLISECONDS && answered > 1) await setTimeout(milliseconds / 5)
}

/** Whether a batch of this size is committed although writers still wait; times in milliseconds. */
export function isDue(size: number, { age, commitTakes }: { age: number; commitTakes: number }): boolean {
  if (size === 0) return false
  if (size >= BATCH_TRANSACTIONS || age > BATCH_MILLISECONDS) return true
  return size >= SMALL_BATCH_TRANSACTIONS && age > SMALL_BATCH_COMMITS * commitTakes
}
