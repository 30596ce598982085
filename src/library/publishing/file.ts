// An uploaded file is read once, before anything is stored: small ones at once, others in a thread of their own.
import type { UploadedFile } from '../../contract/files.ts'
import { Problem } from '../../contract/problem.ts'
import { MAX_ARCHIVE_BYTES } from '../../formats/archive.ts'
import { MAX_ORG_BYTES } from '../../formats/org.ts'
import { MAX_WORKFLOW_BYTES } from '../../formats/workflow.ts'
import { GivenUp, inThread, jobOf } from '../../workers/workers.ts'
import type { Kind } from '../choices.ts'
import { type FileContent, readContent } from './read-file.ts'

export type { FileContent } from './read-file.ts'

const maxBytes: Record<Kind, number> = {
  automation: MAX_ARCHIVE_BYTES,
  workflow: MAX_WORKFLOW_BYTES,
  org: MAX_ORG_BYTES,
}

/** Up to here the worst file takes some 10 ms. What an archive unpacks to, its size does not tell. */
const maxBytesAtOnce: Record<Kind, number> = { automation: 0, workflow: 64 * 1024, org: 8 * 1024 }

const reading = jobOf<typeof readContent>(import.meta.resolve('./read-file.ts'), 'readContent', 15_000)

/** Reads a file of this kind for an account; throws `too_large`, `unavailable`, or `invalid_artifact` with what is wrong with it. */
export async function readFileOf(kind: Kind, { path, size }: UploadedFile, by: string): Promise<FileContent> {
  if (size > maxBytes[kind]) throw new Problem('too_large', `file: is larger than ${maxBytes[kind]} bytes`)
  const content = await contentOf({ kind, path }, size, by).catch((error) => {
    if (error instanceof GivenUp) return { refused: 'expected a file that can be read within 15 seconds' }
    throw error
  })
  if ('refused' in content) throw new Problem('invalid_artifact', content.refused)
  return content
}

const contentOf = (file: { kind: Kind; path: string }, size: number, by: string) =>
  size <= maxBytesAtOnce[file.kind] ? readContent(file) : inThread(reading, file, by)
