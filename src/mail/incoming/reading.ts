// Reading mails that came, in threads: within bounds, and for a time.
import { GivenUp, inThread, jobOf, type Worker } from '../../workers/workers.ts'
import type { Report, readReport, readWords, Words } from './body.ts'
import { isWithinBounds } from './bounds.ts'

export type { Report, Words }

/** Of a whole mail, with its attachments. */
export const MAX_MAIL_BYTES = 1024 * 1024
const MAX_MILLISECONDS = 3_000

/** A mail as a server gave it to us. */
export interface TakenMail {
  bytes: Buffer
  /** The sender of the envelope; empty for what must not be answered (RFC 5321, 4.5.5). */
  sender: string
  recipient: string
  /** The network address of the server that gave it, and its name as it said it. */
  address: string
  helo: string
}

const bodyModule = import.meta.resolve('./body.ts')
const wordsJob = jobOf<typeof readWords>(bodyModule, 'readWords', MAX_MILLISECONDS)
const reportJob = jobOf<typeof readReport>(bodyModule, 'readReport', MAX_MILLISECONDS)

/** What a job read; undefined where it took too long, or too much memory. */
async function inTime<Output>(reading: Promise<Output>): Promise<Output | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof GivenUp) return undefined
    throw error
  }
}

/** The words of the sender of a mail; undefined for what cannot be read. */
export const wordsIn = async (bytes: Buffer, by: string | Worker): Promise<Words | undefined> =>
  isWithinBounds(bytes) ? inTime(inThread(wordsJob, bytes, by)) : undefined

/** The report in a mail; undefined for what is none. */
export const reportIn = async (bytes: Buffer, by: string | Worker): Promise<Report | undefined> =>
  isWithinBounds(bytes) ? inTime(inThread(reportJob, bytes, by)) : undefined
