// The scan of an upload, in a thread with a deadline. What it finds never keeps a publication from being stored: a scan that cannot
// finish is a verdict of its own.
import { Problem } from '../../contract/problem.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { GivenUp, inThread, jobOf } from '../../workers/workers.ts'
import type { Kind } from '../item-contract.ts'
import { worstAlike } from './look-alikes.ts'
import { listKnown } from './queries.ts'
import { type Finding, Findings } from './rules.ts'
import type { scanFile } from './scan-file.ts'

const MAX_MILLISECONDS = 10_000
const job = {
  ...jobOf<typeof scanFile>(import.meta.resolve('./scan-file.ts'), 'scanFile', MAX_MILLISECONDS),
  queue: 'scans' as const,
}

export interface ScanParams {
  kind: Kind
  /** Of the file on this machine. */
  path: string
  /** What findings call the file. */
  filename: string
  /** What the item is called. */
  name: string
  /** Where it is, once it is anywhere. */
  slug?: string | undefined
  /** Whose it is; the caller's unless told. */
  ownerId?: string | undefined
}

/** What is found in a file; null where the scan could not finish. */
export async function scanUpload(
  context: Context<Caller>,
  { kind, path, filename, name, slug, ownerId = context.caller.id }: ScanParams,
): Promise<Finding[] | null> {
  const findings = await inThread(job, { kind, path, name: filename }, context.worker()).catch((error) => {
    // The file took too long, or too much waits.
    if (error instanceof GivenUp || (error instanceof Problem && error.code === 'unavailable')) return null
    throw error
  })
  if (findings === null) return null
  const alike = worstAlike({ name, slug }, await listKnown(context.db, ownerId))
  if (!alike) return findings
  const found = new Findings()
  for (const finding of [alike, ...findings]) found.add(finding)
  return found.list
}
