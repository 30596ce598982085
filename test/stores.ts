// A world for every engine with every store of blobs: a directory, and a bucket of a real object storage.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it as nodeIt } from 'node:test'
import { engines } from './databases.ts'
import { openObjectStorage } from './object-storage.ts'
import { makeWorld, type World } from './world.ts'

type Storage = Awaited<ReturnType<typeof openObjectStorage>>

export interface StoredWorld extends World {
  store: 'directory' | 'bucket'
  /** Where the blobs of the directory are. */
  folder: string
  /** Where uploads wait, in either store. */
  staging: string
  /** The object storage; a test may set its gate, which is opened again afterwards. */
  storage: Storage
}

export type StoredIt = (sentence: string, body: (world: StoredWorld) => Promise<void>) => void

/** Runs the tests on every engine with every store. */
export function onEveryStore(subject: string, define: (it: StoredIt) => void): void {
  for (const [engine, open] of Object.entries(engines)) {
    for (const store of ['directory', 'bucket'] as const) {
      const skip = open ? false : 'set TEST_POSTGRES_URL to run these'
      describe(`${subject} on ${engine} with a ${store}`, { skip }, () => {
        let storage: Storage
        before(async () => {
          storage = await openObjectStorage()
        })
        after(() => storage.close())
        define((sentence, body) => {
          nodeIt(sentence, async () => {
            const database = await open!()
            const folder = await mkdtemp(join(tmpdir(), 'guildhall-blobs-'))
            const staging = join(folder, 'staging')
            const url = store === 'directory' ? `file:${folder}` : storage.url(staging, randomBytes(8).toString('hex'))
            const world = await makeWorld(database, { BLOB_URL: url })
            try {
              await body({ ...world, store, folder, staging, storage })
            } finally {
              storage.gate = () => undefined
              world.ground.blobs.close()
              await database.remove()
              await rm(folder, { recursive: true })
            }
          })
        })
      })
    }
  }
}
