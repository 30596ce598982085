// A process that has no descriptors left (EMFILE) says 503 with Retry-After, and is well again as soon as it has some.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readdirSync } from 'node:fs'
import { it } from 'node:test'
import { onEngines } from './databases.ts'
import { orgFile, workflowFile } from './library.ts'
import { temporaryDirectory } from './temporary.ts'
import { makeWorld, type World } from './world.ts'

const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0 && process.platform === 'linux'
const SPARE = 64

/** Runs `work` while this process cannot open anything. */
async function withoutDescriptors<Result>(work: () => Promise<Result>): Promise<Result> {
  const limit = readdirSync('/proc/self/fd').length + SPARE
  const { status } = spawnSync('prlimit', ['--pid', String(process.pid), `--nofile=${limit}:`])
  assert.equal(status, 0)
  const held: number[] = []
  try {
    for (;;) held.push(openSync('/dev/null', 'r'))
  } catch {
    // All are in use.
  }
  try {
    return await work()
  } finally {
    for (const descriptor of held) closeSync(descriptor)
  }
}

const statusOf = (work: Promise<unknown>) =>
  work.then(
    () => 200,
    (error: { status?: number }) => error.status ?? error,
  )

onEngines('a process without descriptors', (open) => {
  it('is 503 for what needs one, and serves again when there is one', { skip: !hasPrlimit }, async (t) => {
    const database = await open()
    t.after(database.remove)
    const world: World = await makeWorld(database, { BLOB_URL: `file:${await temporaryDirectory(t)}` })
    t.after(() => world.dependencies.blobs.close())
    const { alice, anonymous } = world
    const { id } = await alice.library.publish({ kind: 'org', file: orgFile(), visibility: 'public' })
    // A process that serves has its connections to PostgreSQL, and has loaded the code of what it was asked before.
    await anonymous.library.get({ id })
    await anonymous.feed.list({})
    const path = `/api/library/items/${id}/artifact`
    const works: Record<string, () => Promise<unknown>> = {
      download: async () => {
        const response = await alice.request(path)
        if (!response.ok) throw Object.assign(new Error(await response.text()), { status: response.status })
        return response.arrayBuffer()
      },
      publish: () => alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' }),
      read: () => anonymous.library.get({ id }),
      write: () => alice.posts.create({ title: 'Written', body: 'All the same' }),
      page: () => anonymous.feed.list({}),
      // Its code is loaded by the first call of the process (src/request/lazily.ts), which this is on the first engine alone.
      first: () => anonymous.boards.list({}),
    }
    const found: Record<string, unknown> = {}
    await withoutDescriptors(async () => {
      for (const [name, work] of Object.entries(works)) found[name] = await statusOf(work())
    })
    const { first, ...others } = found
    assert.deepEqual(others, { download: 503, publish: 503, read: 200, write: 200, page: 200 })
    assert.ok(first === 503 || first === 200, String(first))
    for (const [name, work] of Object.entries(works)) assert.equal(await statusOf(work()), 200, name)
  })
})
