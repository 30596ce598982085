// A PostgreSQL with streaming replicas, all made for a test file and removed after it. The programs are those of the package.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { required } from '../src/runtime/untyped.ts'
import { initialize, program, startingIn } from './postgres-programs.ts'
import { freePort } from './server.ts'

/** Nothing here has to survive a power failure. */
const OPTIONS = ['fsync=off', 'wal_level=replica', 'max_connections=60', 'shared_buffers=32MB', 'wal_keep_size=128MB']

export interface Cluster {
  /** The address of a database on it. */
  url(database: string): string
  port: number
  /** Runs statements as its superuser, in the database `postgres`. */
  run(statement: string): Promise<pg.QueryResult>
  start(): Promise<void>
  /** Ends it at once. */
  stop(): Promise<void>
}

export interface Standby {
  primary: Cluster
  /** The first of the replicas. */
  replica: Cluster
  replicas: Cluster[]
  /** Resolves when every replica has replayed everything that was written on the primary. */
  caughtUp(): Promise<void>
  close(): Promise<void>
}

/** Makes and starts a primary without databases and so many replicas of it. */
export async function openStandby(count = 1): Promise<Standby> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-standby-'))
  const starting = startingIn(folder)
  const cluster = async (name: string) => {
    const port = await freePort()
    const sockets = `unix_socket_directories=${folder}`
    const options = [...OPTIONS, `port=${port}`, 'listen_addresses=127.0.0.1', sockets].flatMap((option) => [
      '-c',
      option,
    ])
    return clusterOf(port, () => {
      return spawn(program('postgres'), ['-D', join(folder, name), ...options], { ...starting, stdio: 'ignore' })
    })
  }
  await initialize(join(folder, 'primary'), folder)
  const primary = await cluster('primary')
  await primary.start()
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres']
  const replicas: Cluster[] = []
  for (let made = 0; made < count; made++) {
    const copied = [...from, '-D', join(folder, `replica${made}`), '-R', '-X', 'stream', '-c', 'fast', '-N']
    await promisify(execFile)(program('pg_basebackup'), copied, starting)
    const replica = await cluster(`replica${made}`)
    await replica.start()
    replicas.push(replica)
  }
  return {
    primary,
    replica: required(replicas[0]),
    replicas,
    async caughtUp() {
      const { rows } = await primary.run('select pg_current_wal_flush_lsn() as place')
      await Promise.all(replicas.map((replica) => replays(replica, rows[0]?.place)))
    },
    async close() {
      await Promise.all([primary, ...replicas].map((one) => one.stop()))
      await rm(folder, { recursive: true })
    },
  }
}

async function replays(replica: Cluster, place: string): Promise<void> {
  const until = performance.now() + 20_000
  const replayed = `select pg_last_wal_replay_lsn() >= '${place}' as done`
  while (!(await replica.run(replayed)).rows[0]?.done) {
    if (performance.now() > until) throw new Error('The replica does not replay')
    await setTimeout(10)
  }
}

function clusterOf(port: number, spawnServer: () => ChildProcess): Cluster {
  let server: ChildProcess | undefined
  const kill = () => server?.kill('SIGKILL')
  process.once('exit', kill)
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: url('postgres') })
    client.on('error', () => {})
    await client.connect()
    return client.query(statement).finally(() => client.end())
  }
  return {
    url,
    port,
    run,
    async start() {
      server = spawnServer()
      while (!(await run('select 1').catch(() => undefined))) {
        if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}`)
        await setTimeout(50)
      }
    },
    async stop() {
      if (!server || server.exitCode !== null || server.signalCode !== null) return
      const ended = once(server, 'exit')
      server.kill('SIGQUIT')
      await ended
    },
  }
}
