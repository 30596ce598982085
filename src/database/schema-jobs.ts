// The table of jobs: who works on what, how far it got, and how it failed (core/jobs); schema.ts has the rules for all of it.

export interface JobTable {
  /** As src/jobs.ts declares it. */
  kind: string
  /** The row that it is about, the version of work that is done once, or ''. */
  key: string
  /** Not before. */
  runAt: string
  /** How far its batches got. */
  cursor: string
  /** How often it failed since it last succeeded. */
  attempts: number
  /** Until then one process has it; '' while none has. */
  leasedUntil: string
  /** Of the last attempt that failed. */
  error: string | null
  /** When it was given up. */
  failedAt: string | null
  /** When work that is done once was done. */
  doneAt: string | null
}

export interface JobsDatabase {
  job: JobTable
}
