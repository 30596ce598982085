// An uploaded file is read once, before anything is stored: small texts at once, others in a thread of their own.
import type { UploadedFile } from '../../contract/files.ts'
import { factsOf } from '../../contract/item-kinds.ts'
import { Problem } from '../../contract/problem.ts'
import type { FileContent } from '../../formats/file-content.ts'
import { GivenUp, inThread, jobOf, type Worker } from '../../workers/workers.ts'
import type { Kind } from '../items/item-contract.ts'
import { readContent } from './read-file.ts'

const MAX_MILLISECONDS = 15_000
const job = jobOf<typeof readContent>(import.meta.resolve('./read-file.ts'), 'readContent', MAX_MILLISECONDS)

/** Reads a file of this kind for an account; throws `too_large`, `unavailable`, or `invalid_artifact` with what is wrong with it. */
export async function readFileOf(kind: Kind, file: UploadedFile, by: string | Worker): Promise<FileContent> {
  const { maxBytes } = factsOf(kind)
  if (file.size > maxBytes) throw new Problem('too_large', `file: is larger than ${maxBytes} bytes`)
  const content = await contentOf(kind, file, by).catch((error) => {
    if (error instanceof GivenUp) return { refused: 'expected a file that can be read within 15 seconds' }
    throw error
  })
  if ('refused' in content) throw new Problem('invalid_artifact', content.refused)
  return content
}

function contentOf(kind: Kind, { path, size }: UploadedFile, by: string | Worker) {
  const { bytesAtOnce = 0 } = factsOf(kind)
  return size <= bytesAtOnce ? readContent({ kind, path }) : inThread(job, { kind, path }, by)
}
