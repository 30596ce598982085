// What the scan takes of a publication: of a small workflow, and of a package with a hundred files.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../src/database/open.ts'
import { scanUpload } from '../src/library/scanning/scanning.ts'
import { automationFile, workflowFile } from '../test/library.ts'
import { makeWorld, type World } from '../test/world.ts'
import { figure } from './parts/figures.ts'
import { median } from './parts/median.ts'
import { inPlaces } from './parts/places.ts'

const PUBLICATIONS = 100
const AN_HOUR = 25

interface Cost {
  /** Milliseconds that the caller waits, and that the process computes, threads included. */
  waited: number
  computed: number
}

/** Medians of many, one after the other. */
async function costOf(work: (index: number) => Promise<unknown>): Promise<Cost> {
  const costs: Cost[] = []
  for (let index = 0; index < PUBLICATIONS; index++) {
    const [started, before] = [performance.now(), process.cpuUsage()]
    await work(index)
    const { user, system } = process.cpuUsage(before)
    costs.push({ waited: performance.now() - started, computed: (user + system) / 1_000 })
  }
  return { waited: median(costs.map((cost) => cost.waited)), computed: median(costs.map((cost) => cost.computed)) }
}

const script = 'export const list = async (page) => page.query("berths").map(({ name }) => name)\n'
const packed = (index: number) =>
  automationFile(
    { id: `board-${index}` },
    Array.from({ length: 100 }, (_, n) => ({ name: `scripts/s${n}.js`, data: script.repeat(20) })),
  )

const uploads = {
  'a small workflow': ['workflow', (index: number) => workflowFile({ name: `Digest ${index}` })],
  'a package with 100 files': ['automation', packed],
} as const

async function measure({ alice, clock, dependencies }: World, folder: string): Promise<void> {
  const { id } = await alice.account()
  for (const [name, [kind, fileOf]] of Object.entries(uploads)) {
    const publish = async (index: number) => {
      if (index % AN_HOUR === 0) clock.pass(3_600)
      await alice.library.publish({ kind, file: fileOf(index), visibility: 'public' })
    }
    for (let index = 0; index < 20; index++) await publish(index + PUBLICATIONS)
    const publication = await costOf(publish)
    const path = join(folder, kind)
    await writeFile(path, Buffer.from(await fileOf(0).arrayBuffer()))
    const context = { db: dependencies.db, caller: { id } } as Parameters<typeof scanUpload>[0]
    const scan = await costOf((index) => scanUpload(context, { kind, path, filename: kind, name: `Digest ${index}` }))
    figure(`publication of ${name}`, publication.waited, 'ms')
    figure('  of that the scan', scan.waited, 'ms')
    figure('  what the scan adds to the rest', (100 * scan.waited) / (publication.waited - scan.waited), '%')
    figure('  CPU of the publication', publication.computed, 'ms CPU')
    figure('  CPU of the scan', scan.computed, 'ms CPU')
  }
}

await inPlaces(async (make) => {
  const { url, folder } = await make('publishing')
  const store = await openDatabase(url)
  const scratch = await mkdtemp(join(tmpdir(), 'guildhall-bench-'))
  const world = await makeWorld({ ...store, url }, { BLOB_URL: `file:${folder}/blobs` })
  await measure(world, scratch).finally(() => rm(scratch, { recursive: true }))
  await store.db.destroy()
})
