// Copies stored files from one store to another: artifacts, which have the hash of their bytes as a name, and named objects.
import { BlobError, type Blobs } from '../storage/blobs.ts'

/** Artifacts are as large as uploads may be; this only ends what never ends. */
const MAX_BYTES = 2 ** 40

export interface CopiedFiles {
  files: number
  bytes: number
}

/**
 * Copies what the other store does not have, and named objects that are newer. The bytes of an artifact are compared with its hash on
 * the way. With `every` the bytes of every object that is there are compared as well.
 */
export async function copyFiles(
  from: Blobs,
  to: Blobs,
  { every = false, onFile }: { every?: boolean; onFile: (files: number) => void },
): Promise<CopiedFiles> {
  const copied: CopiedFiles = { files: 0, bytes: 0 }
  let looked = 0
  const count = (bytes: number) => {
    onFile(++looked)
    if (bytes < 0) return
    copied.files++
    copied.bytes += bytes
  }
  for await (const { sha256, size } of from.artifacts.list()) count(await copyArtifact(from, to, { sha256, size }))
  for await (const { key, modified } of from.objects.list()) count(await copyObject(from, to, { key, modified, every }))
  return copied
}

const NOTHING = -1

/** The number of bytes that were copied; -1 if it was there, or is gone. */
async function copyArtifact(from: Blobs, to: Blobs, artifact: { sha256: string; size: number }): Promise<number> {
  const { sha256, size } = artifact
  const there = await to.artifacts.stat(sha256)
  if (there?.size === size) return NOTHING
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

async function copyObject(
  from: Blobs,
  to: Blobs,
  { key, modified, every }: { key: string; modified: Date; every: boolean },
): Promise<number> {
  const there = await to.objects.get(key)
  if (there && !every && there.modified > modified) return NOTHING
  const object = await from.objects.get(key)
  if (!object || (there?.bytes.equals(object.bytes) && there.contentType === object.contentType)) return NOTHING
  await to.objects.put(key, object.bytes, object.contentType)
  return object.bytes.length
}
