// A continuous backup in this process, beside a world on SQLite, with a target and files that fail.
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type OpenOptions, openDatabase } from '../src/database/open.ts'
import { restore } from '../src/operator/backup.ts'
import { openRepository, type Repository } from '../src/operator/repository.ts'
import { type ShippingOptions, ship } from '../src/operator/shipping.ts'
import { listSnapshots, readSnapshot } from '../src/operator/snapshot.ts'
import { listParts, readPart } from '../src/operator/stream.ts'
import { complaintsAbout, runCommand, withWorldOn } from './operator.ts'
import { temporaryDirectory } from './temporary.ts'
import { makeWorld, type World } from './world.ts'

/** A world on a database of its own, and an empty place for its backup. */
export async function begin(t: TestContext, options: OpenOptions = {}) {
  const folder = await temporaryDirectory(t)
  const [data, kept] = [join(folder, 'data'), join(folder, 'kept')]
  await mkdir(data)
  const databaseUrl = join(data, 'guildhall.db')
  const store = await openDatabase(databaseUrl, options)
  const blobUrl = `file:${join(data, 'blobs')}`
  const world = await makeWorld({ ...store, url: databaseUrl }, { BLOB_URL: blobUrl })
  const config = { ...world.dependencies.config, databaseUrl, blobUrl, dataDir: data, signingKey: undefined }
  const repository = await openRepository(`file:${kept}`, { passphrase: undefined, mayBegin: true })
  const restored = async (at?: string) => {
    const dataDir = await temporaryDirectory(t)
    const place = { databaseUrl: join(dataDir, 'guildhall.db'), blobUrl: `file:${join(dataDir, 'blobs')}`, dataDir }
    const ran = await runCommand(
      restore,
      { ...config, ...place },
      { parameters: [kept], unauthenticated: true, ...(at ? { at } : {}) },
    )
    return { ...ran, place }
  }
  t.after(async () => {
    repository.close()
    await world.db.destroy()
  })
  return { ...world, folder, data, kept, config, repository, restored }
}

export type Begun = Awaited<ReturnType<typeof begin>>

/** Ships until `stop`, which resolves with its error. */
export async function shipping(from: Pick<Begun, 'config' | 'repository'>, more: Partial<ShippingOptions> = {}) {
  const [stopping, complaints] = [new AbortController(), [] as string[]]
  const backedUp = Promise.withResolvers<void>()
  const parts = { ...from, place: 'kept', progress: () => {}, complain: (text: string) => void complaints.push(text) }
  const end = ship({ ...parts, onBackup: async () => backedUp.resolve(), signal: stopping.signal, ...more }).then(
    () => undefined,
    (error: Error) => error,
  )
  const stop = () => {
    stopping.abort()
    return end
  }
  return { backedUp: backedUp.promise, end, stop, complaints }
}

export const until = async (is: () => boolean | Promise<boolean>) => {
  while (!(await is())) await sleep(20)
}

export const newest = async (repository: Repository) =>
  readSnapshot(repository, (await listSnapshots(repository)).at(-1) ?? 'none')
export const partsOf = async (repository: Repository) => listParts(repository, await newest(repository))

/** How many artifacts the parts have. */
export async function filesIn(repository: Repository): Promise<number> {
  const parts = await Promise.all((await partsOf(repository)).map((key) => readPart(repository, key)))
  return parts.reduce((total, { files }) => total + files.artifacts.length, 0)
}

export const publish = ({ alice }: Pick<World, 'alice'>, name: string) =>
  alice.library.publish({
    kind: 'org',
    file: new File([JSON.stringify({ name, roles: [{ id: 'solo' }] })], 'org.json'),
  })

export const namesIn = async ({ databaseUrl, blobUrl }: { databaseUrl: string; blobUrl: string }) => {
  let names: string[] = []
  let wrong: string[] = []
  await withWorldOn({ databaseUrl, blobUrl }, async (world) => {
    wrong = await complaintsAbout(world)
    names = (await world.db.selectFrom('libraryItem').select('name').execute()).map(({ name }) => name)
  })
  assert.deepEqual(wrong, [])
  return names.sort()
}
