// Copies stored files from one store to another: artifacts, which have the hash of their bytes as a name, and named objects.
import { BlobError, type Blobs } from '../storage/blobs.ts'

/** Artifacts are as large as uploads may be; this only ends what never ends. */
const MAX_BYTES = 2 ** 40
/** A store far away answers late, and serves several requests at once. */
const AT_ONCE = 8
/** The clocks of two stores may differ by less than this. */
const CLOCKS_MILLISECONDS = 3_600_000

export interface CopiedFiles {
  files: number
  bytes: number
}

/** Of which objects that are there the bytes are compared: of every one, or of those that were put about when they were copied, or later. */
export type ComparisonScope = 'every' | 'recent'

/**
 * Copies what the other store does not have, and named objects that differ. The bytes of an artifact are compared with its hash on the way.
 */
export async function copyFiles(
  from: Blobs,
  to: Blobs,
  { compare, onFile }: { compare: ComparisonScope; onFile: (files: number) => void },
): Promise<CopiedFiles> {
  const copied: CopiedFiles = { files: 0, bytes: 0 }
  let looked = 0
  const count = (bytes: number) => {
    onFile(++looked)
    if (bytes < 0) return
    copied.files++
    copied.bytes += bytes
  }
  // One list for a thousand files, where a question for each of them would take as long as the copy.
  const sizes = new Map<string, number>()
  for await (const { sha256, size } of to.artifacts.list()) sizes.set(sha256, size)
  await atOnce(from.artifacts.list(), async ({ sha256, size }) => {
    count(sizes.get(sha256) === size ? NOTHING : await copyArtifact(from, to, { sha256, size }))
  })
  const times = new Map<string, number>()
  for await (const { key, modified } of to.objects.list()) times.set(key, modified.getTime())
  await atOnce(from.objects.list(), async ({ key, modified }) => {
    const isOld = (times.get(key) ?? 0) > modified.getTime() + CLOCKS_MILLISECONDS
    count(compare === 'recent' && isOld ? NOTHING : await copyObject(from, to, key))
  })
  return copied
}

const NOTHING = -1

/** Does `work` for several entries at a time. */
async function atOnce<Entry>(entries: AsyncIterable<Entry>, work: (entry: Entry) => Promise<void>): Promise<void> {
  const iterator = entries[Symbol.asyncIterator]()
  const runner = async () => {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runner))
}

/** The number of bytes that were copied; -1 if it is gone. */
async function copyArtifact(from: Blobs, to: Blobs, artifact: { sha256: string; size: number }): Promise<number> {
  const { sha256, size } = artifact
  const bytes = await from.artifacts.read(sha256)
  if (!bytes) return NOTHING
  const staged = await to.artifacts.stage(bytes, { maxBytes: MAX_BYTES })
  try {
    if (staged.sha256 !== sha256)
      throw new BlobError('corrupt', `The artifact ${sha256} is damaged: its bytes have another hash`)
    await to.artifacts.commit(staged)
    return size
  } finally {
    await to.artifacts.discard(staged)
  }
}

async function copyObject(from: Blobs, to: Blobs, key: string): Promise<number> {
  const [object, there] = await Promise.all([from.objects.get(key), to.objects.get(key)])
  if (!object || (there?.bytes.equals(object.bytes) && there.contentType === object.contentType)) return NOTHING
  await to.objects.put(key, object.bytes, object.contentType)
  return object.bytes.length
}
