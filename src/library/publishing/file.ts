// An uploaded file is read once, before anything is stored: small texts at once, others in a thread of their own.
import type { UploadedFile } from '../../contract/files.ts'
import { Problem } from '../../contract/problem.ts'
import { MAX_ARCHIVE_BYTES, MAX_ORG_BYTES, MAX_WORKFLOW_BYTES } from '../../formats/sizes.ts'
import { GivenUp, inThread, jobOf, type Worker } from '../../workers/workers.ts'
import type { Kind } from '../item-contract.ts'
import type { FileContent } from './file-content.ts'
import type { readArchive } from './read-archive.ts'
import { readContent, type TextKind } from './read-file.ts'

const maxBytes: Record<Kind, number> = {
  automation: MAX_ARCHIVE_BYTES,
  workflow: MAX_WORKFLOW_BYTES,
  org: MAX_ORG_BYTES,
}

/** Up to here the worst file takes some 10 ms. The size of an archive does not tell what it unpacks to. */
const maxBytesAtOnce: Record<TextKind, number> = { workflow: 64 * 1024, org: 8 * 1024 }

const MAX_MILLISECONDS = 15_000
const textJob = jobOf<typeof readContent>(import.meta.resolve('./read-file.ts'), 'readContent', MAX_MILLISECONDS)
const archiveJob = jobOf<typeof readArchive>(import.meta.resolve('./read-archive.ts'), 'readArchive', MAX_MILLISECONDS)

/** Reads a file of this kind for an account; throws `too_large`, `unavailable`, or `invalid_artifact` with what is wrong with it. */
export async function readFileOf(kind: Kind, file: UploadedFile, by: string | Worker): Promise<FileContent> {
  if (file.size > maxBytes[kind]) throw new Problem('too_large', `file: is larger than ${maxBytes[kind]} bytes`)
  const content = await contentOf(kind, file, by).catch((error) => {
    if (error instanceof GivenUp) return { refused: 'expected a file that can be read within 15 seconds' }
    throw error
  })
  if ('refused' in content) throw new Problem('invalid_artifact', content.refused)
  return content
}

function contentOf(kind: Kind, { path, size }: UploadedFile, by: string | Worker) {
  if (kind === 'automation') return inThread(archiveJob, path, by)
  return size <= maxBytesAtOnce[kind] ? readContent({ kind, path }) : inThread(textJob, { kind, path }, by)
}
