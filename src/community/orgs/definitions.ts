// Definitions as artifacts: kept under the hash of their bytes, as the library keeps its own. Two orgs may share one, so
// removing an org leaves its definition to the sweep.
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FileAnswer } from '../../contract/files.ts'
import { Problem } from '../../contract/problem.ts'
import { MAX_ORG_BYTES } from '../../contract/sizes.ts'
import type { Transaction } from '../../database/schema.ts'
import { readDefinitionText } from '../../formats/org-chart.ts'
import type { Context } from '../../request/handler.ts'
import { artifact, storeThenInsert } from '../../storage/blob-lifecycle.ts'
import type { Artifacts } from '../../storage/blobs.ts'
import { contentDisposition } from '../../storage/disposition.ts'
import { GivenUp, inThread, jobOf, type Worker } from '../../workers/workers.ts'

/** Up to here the worst definition takes some 10 ms. */
const MAX_AT_ONCE = 8 * 1024
const reading = jobOf<typeof readDefinitionText>(
  import.meta.resolve('../../formats/org-chart.ts'),
  'readDefinitionText',
  15_000,
)

/** What a definition says, read for an account; throws `invalid_request` that names the first offending field. */
export async function readDefinition(text: string, by: string | Worker) {
  const said =
    text.length <= MAX_AT_ONCE ? readDefinitionText(text) : await inThread(reading, text, by).catch(refuseSlow)
  if ('refused' in said) throw new Problem('invalid_request', said.refused)
  return said
}

function refuseSlow(error: unknown): { refused: string } {
  if (error instanceof GivenUp) return { refused: 'expected a definition that can be read within 15 seconds' }
  throw error
}

/** Keeps the text byte for byte, then adds the rows that name it. */
export async function storeDefinitionThen<T>(
  { db, blobs, afterCommit }: Pick<Context, 'db' | 'blobs' | 'afterCommit'>,
  text: string,
  addRows: (transaction: Transaction, kept: { sha256: string; size: number }) => Promise<T>,
): Promise<T> {
  const staged = await blobs.artifacts.stage(Readable.from([Buffer.from(text)]), { maxBytes: MAX_ORG_BYTES })
  const { sha256, size } = staged
  const discard = () => blobs.artifacts.discard(staged)
  const rows = (transaction: Transaction) => addRows(transaction, { sha256, size })
  const added = await storeThenInsert(db, artifact(blobs, staged), rows).catch(async (error: unknown) => {
    await discard()
    throw error
  })
  await afterCommit(discard)
  return added
}

/** The definition as a download. */
export function definitionAnswer(
  artifacts: Artifacts,
  { slug, sha256, size }: { slug: string; sha256: string; size: number },
): FileAnswer {
  return {
    contentType: 'application/json',
    size,
    tag: sha256,
    headers: { 'Content-Disposition': contentDisposition('attachment', `${slug}.json`), 'X-Content-SHA256': sha256 },
    source: { open: (range) => openDefinition(artifacts, sha256, range) },
  }
}

async function openDefinition(
  artifacts: Artifacts,
  sha256: string,
  range?: { start: number; end: number },
): Promise<Readable> {
  // Read at once where it is a file: it is small, and a stream costs ten times as much.
  const path = await artifacts.path(sha256)
  if (path) return Readable.from([(await readFile(path)).subarray(range?.start, range && range.end + 1)])
  const stream = await artifacts.read(sha256, range)
  if (!stream) throw new Error(`The definition ${sha256} is missing`)
  return stream
}
