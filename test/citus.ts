// A small Citus cluster for tests: TEST_CITUS names a folder with a program `cluster` that starts one (`cluster up FOLDER PORT`, `cluster add
// FOLDER N`, `cluster down FOLDER`): a coordinator at the port and workers at those after it, each with a database `guildhall`.
import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { program, startingIn } from './postgres-programs.ts'

const folder = process.env['TEST_CITUS'] || undefined

/** Why tests of a cluster are skipped; false where they run. */
export const skip: string | false = folder ? false : 'needs Citus: TEST_CITUS names a folder with its program cluster'

export interface Cluster {
  /** A database of the coordinator, without tables. */
  url: string
  /** The port of a node: 0 is the coordinator. */
  port(node: number): number
  /** Adds a worker: the third is 3. */
  add(node: number): Promise<void>
  /** Ends a node at once, as when its machine is gone. */
  kill(node: number): void
  start(node: number): Promise<void>
  stop(): void
}

/** The first of some ports in a row that are free, below those that a system gives to connections. */
async function freePorts(): Promise<number> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000)
    const all = await Promise.all(Array.from({ length: 4 }, (_, at) => isFree(first + at)))
    if (all.every(Boolean)) return first
  }
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

const run = promisify(execFile)

export async function startCluster(): Promise<Cluster> {
  const cluster = join(String(folder), 'cluster')
  const first = await freePorts()
  const place = join(tmpdir(), `guildhall-citus-${process.pid}-${first}`)
  const stop = () => void execFileSync(cluster, ['down', place])
  await run(cluster, ['up', place, String(first)]).catch((error: unknown) => {
    stop()
    throw error
  })
  return {
    url: `postgres://postgres@127.0.0.1:${first}/guildhall`,
    port: (node) => first + node,
    add: async (node) => void (await run(cluster, ['add', place, String(node)])),
    kill(node) {
      const [pid] = readFileSync(join(place, `n${node}`, 'postmaster.pid'), 'utf8').split('\n')
      process.kill(Number(pid), 'SIGQUIT')
    },
    async start(node) {
      const data = join(place, `n${node}`)
      await run(program('pg_ctl'), ['-D', data, '-l', join(place, `n${node}.log`), '-w', 'start'], {
        ...startingIn(place),
        // libpq looks for certificates there, which that user may not read.
        env: { ...process.env, HOME: place },
      })
    },
    stop,
  }
}
