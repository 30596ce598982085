// The scan of an upload, in a thread with a deadline. What it finds never keeps a publication from being stored: a scan that cannot
// finish is a verdict of its own.
import { Problem } from '../../contract/problem.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { GivenUp, inThread, jobOf } from '../../workers/workers.ts'
import type { Kind } from '../item-contract.ts'
import { lookAlike } from './look-alikes.ts'
import { listPopular } from './queries.ts'
import { type Finding, Found } from './rules.ts'
import type { scanFile } from './scan-file.ts'

const MAX_MILLISECONDS = 10_000
const job = jobOf<typeof scanFile>(import.meta.resolve('./scan-file.ts'), 'scanFile', MAX_MILLISECONDS)

/** An item with so many more votes for it than against it is known by its name. */
export const KNOWN_FROM_SCORE = 3
const MAX_POPULAR = 200

export interface Scanned {
  kind: Kind
  /** Of the file on this machine. */
  path: string
  /** What findings call the file. */
  filename: string
  /** What the item is called. */
  name: string
}

/** What is found in a file; null where the scan could not finish. */
export async function scanUpload(
  { db, caller }: Pick<Context<Caller>, 'db' | 'caller'>,
  { kind, path, filename, name }: Scanned,
): Promise<Finding[] | null> {
  const findings = await inThread(job, { kind, path, name: filename }, caller.id).catch((error) => {
    // The file took too long, or too much waits.
    if (error instanceof GivenUp || (error instanceof Problem && error.code === 'unavailable')) return null
    throw error
  })
  if (findings === null) return null
  const popular = await listPopular(db, { ownerId: caller.id, leastScore: KNOWN_FROM_SCORE, limit: MAX_POPULAR })
  const alike = lookAlike(name, popular)
  if (!alike) return findings
  const found = new Found()
  for (const finding of [alike, ...findings]) found.add(finding)
  return found.list
}
