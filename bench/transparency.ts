// The log of what is public: what it adds to a publication, and proofs in a tree of ten million leaves.
import { leafHash, utf8 } from '@guildhall/verifiable'
import { emptyTile, extended, rootWithin, TILE_WIDTH } from '@guildhall/verifiable/log'
import { openDatabase } from '../src/database/open.ts'
import type { Db } from '../src/database/schema.ts'
import { logVersions } from '../src/library/statements/logging.ts'
import { upsertTile } from '../src/transparency/queries.ts'
import { proveConsistency, proveInclusion } from '../src/transparency/serving.ts'
import { workflowFile } from '../test/library.ts'
import { makeWorld } from '../test/world.ts'
import { figure } from './parts/figures.ts'
import { rowsOr } from './parts/options.ts'
import { inPlaces } from './parts/places.ts'

const LEAVES = rowsOr(10_000_000)
const PROOFS = 2_000
const PUBLICATIONS = 200
const AN_HOUR = 25

/** CPU milliseconds of this process for one of `count`. */
async function cpuOfEach(count: number, work: (index: number) => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  for (let index = 0; index < count; index++) await work(index)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / count
}

/** Tiles of a tree of made-up leaves, level by level. */
async function fillTiles(db: Db): Promise<void> {
  let hashes = LEAVES
  let below: Uint8Array[] | undefined
  for (let level = 0; hashes > 0; level++) {
    const roots: Uint8Array[] = []
    for (let from = 0; from < hashes; from += TILE_WIDTH * 256) {
      await db.transaction().execute(async (transaction) => {
        for (let at = from; at < Math.min(hashes, from + TILE_WIDTH * 256); at += TILE_WIDTH) {
          const width = Math.min(TILE_WIDTH, hashes - at)
          const row =
            below?.slice(at, at + width) ?? Array.from({ length: width }, (_, index) => leafHash(utf8(`${at + index}`)))
          const tile = extended(emptyTile({ level, number: at / TILE_WIDTH }), row)
          await upsertTile(transaction, tile)
          if (width === TILE_WIDTH) roots.push(rootWithin(tile, 0, TILE_WIDTH))
        }
      })
    }
    hashes = roots.length
    below = roots
  }
}

async function proofs(url: string): Promise<void> {
  const { db } = await openDatabase(url)
  await fillTiles(db)
  const some = (index: number) => (index * 7_919_993) % LEAVES
  const size = LEAVES
  for (let index = 0; index < 200; index++) await proveInclusion(db, { index: some(index), size })
  const inclusion = await cpuOfEach(PROOFS, (index) => proveInclusion(db, { index: some(index + 200), size }))
  figure(`inclusion proof in ${size.toLocaleString('en')} leaves`, inclusion, 'ms CPU', { atMost: 0.5 })
  const consistency = await cpuOfEach(PROOFS, (index) => proveConsistency(db, { old: 1 + some(index), size }))
  figure('consistency proof from a random size', consistency, 'ms CPU', { atMost: 1 })
  await db.destroy()
}

async function publications(url: string, folder: string): Promise<void> {
  const store = await openDatabase(url)
  const { db } = store
  const world = await makeWorld({ ...store, url }, { BLOB_URL: `file:${folder}/blobs` })
  const publish = async (index: number) => {
    if (index % AN_HOUR === 0) world.clock.pass(3_600)
    await world.alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
  }
  await cpuOfEach(50, publish)
  await world.app.sequenceLog()
  const publication = await cpuOfEach(PUBLICATIONS, publish)
  await world.app.sequenceLog()
  // The same entries once more, by themselves: what the transaction of each publication had of the log.
  for (const table of ['versionStatement', 'logEntry'] as const) await db.deleteFrom(table).execute()
  const count = 50 + PUBLICATIONS
  const items = await db.selectFrom('libraryItem').selectAll().execute()
  const again = () =>
    db.transaction().execute(async (transaction) => {
      for (const item of items) await logVersions(transaction, item)
    })
  const entries = (await cpuOfEach(1, again)) / count
  const sequencing = (await cpuOfEach(1, () => world.app.sequenceLog())) / count
  figure('a publication, with the log', publication, 'ms CPU')
  figure('  what its entry takes', entries, 'ms CPU')
  figure('  what its place in the tree takes, with others of that second', sequencing, 'ms CPU')
  const share = (100 * (entries + sequencing)) / (publication - entries)
  figure('what the log adds to a publication', share, '%', { atMost: 10 })
  await db.destroy()
}

await inPlaces(async (make) => {
  const first = await make('publications')
  await publications(first.url, first.folder)
  await proofs((await make('proofs')).url)
})
