// Stored bytes for a write that is only tried: uploads are staged and can be read until they are discarded, and nothing is stored or
// removed.
import { createReadStream } from 'node:fs'
import { machineClock } from '../runtime/clock.ts'
import type { Artifacts, Blobs, NamedObjects, StagedFile } from './blobs.ts'

/** The store, and what discards everything that is still staged. */
export function dryBlobs(blobs: Blobs): { blobs: Blobs; discard(): Promise<void> } {
  const staged = new Set<StagedFile>()
  const artifacts = dryArtifacts(blobs.artifacts, staged)
  return {
    blobs: { ...blobs, artifacts, objects: dryObjects(blobs.objects) },
    async discard() {
      for (const one of staged) await artifacts.discard(one)
    },
  }
}

function dryArtifacts(artifacts: Artifacts, all: Set<StagedFile>): Artifacts {
  const kept = new Map<string, StagedFile>()
  return {
    async stage(stream, limits) {
      const staged = await artifacts.stage(stream, limits)
      all.add(staged)
      return staged
    },
    async commit(staged) {
      kept.set(staged.sha256, staged)
    },
    async discard(staged) {
      kept.delete(staged.sha256)
      all.delete(staged)
      await artifacts.discard(staged)
    },
    async read(sha256, range) {
      const staged = kept.get(sha256)
      return staged ? createReadStream(staged.path, range) : artifacts.read(sha256, range)
    },
    address: async (sha256, as) => (kept.has(sha256) ? undefined : artifacts.address(sha256, as)),
    path: async (sha256) => kept.get(sha256)?.path ?? artifacts.path(sha256),
    async stat(sha256) {
      const staged = kept.get(sha256)
      return staged ? { sha256, size: staged.size, modified: new Date(machineClock.now()) } : artifacts.stat(sha256)
    },
    delete: async () => false,
    list: () => artifacts.list(),
  }
}

const dryObjects = (objects: NamedObjects): NamedObjects => ({
  get: (key) => objects.get(key),
  list: (folder) => objects.list(folder),
  async put() {},
  async delete() {},
})
