// A world for every engine with every store of blobs: a directory, and a bucket of a real object storage.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it as nodeIt } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { onEngines } from './databases.ts'
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
  for (const store of ['directory', 'bucket'] as const) {
    onEngines(`${subject} with a ${store}`, (open) => {
      let storage: Storage
      before(async () => {
        storage = await openObjectStorage()
      })
      after(() => storage.close())
      define((sentence, body) => {
        nodeIt(sentence, async () => {
          const database = await open()
          const folder = await mkdtemp(join(tmpdir(), 'guildhall-blobs-'))
          const staging = join(folder, 'staging')
          const url = store === 'directory' ? `file:${folder}` : storage.url(staging, randomBytes(8).toString('hex'))
          const world = await makeWorld(database, { BLOB_URL: url })
          try {
            await body({ ...world, store, folder, staging, storage })
          } finally {
            storage.gate = () => undefined
            world.dependencies.blobs.close()
            await database.remove()
            await rm(folder, { recursive: true })
          }
        })
      })
    })
  }
}

/** Cleans up while everything in the bucket is two days old, and does `work` while the first deletion is on its way to it. */
export async function whileSwept<T>({ app, storage }: StoredWorld, work: () => Promise<T>): Promise<T> {
  const then = new Date(Date.now() - 48 * 3600 * 1000)
  for (const file of await readdir(storage.directory, { recursive: true })) {
    await utimes(join(storage.directory, file), then, then)
  }
  const deletion = Promise.withResolvers<void>()
  const sent = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  storage.gate = (request, response) => {
    if (request.method === 'PUT') response.once('close', () => sent.resolve())
    if (request.method !== 'DELETE') return false
    deletion.resolve()
    void goOn.promise.then(() => storage.handle(request, response))
    return true
  }
  const sweeping = app.cleanUp()
  await deletion.promise
  const working = work()
  await sent.promise
  // Deletions that do not wait for the sweep are done by now.
  await Promise.race([working, setTimeout(300)])
  goOn.resolve()
  await sweeping
  return working
}
