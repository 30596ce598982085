// A PostgreSQL with a streaming replica, both made for a test file and removed after it. The programs are those of the package.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { required } from '../src/runtime/untyped.ts'
import { freePort } from './server.ts'

const PACKAGES = '/usr/lib/postgresql'

/** The folder of the server's programs, of the newest version; undefined where they are not installed. */
export const programs: string | undefined = existsSync(PACKAGES)
  ? readdirSync(PACKAGES)
      .sort((one, other) => Number(other) - Number(one))
      .map((version) => join(PACKAGES, version, 'bin'))
      .find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
  : undefined

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
  replica: Cluster
  /** Resolves when the replica has replayed everything that was written on the primary. */
  caughtUp(): Promise<void>
  close(): Promise<void>
}

/** PostgreSQL refuses to run as root: then its programs run as its own user. */
async function userOf(): Promise<{ prefix: string[]; own(path: string): Promise<void> }> {
  if (process.getuid?.() !== 0) return { prefix: [], own: async () => {} }
  const ids = await Promise.all(['-u', '-g'].map((flag) => promisify(execFile)('id', [flag, 'postgres'])))
  const [user, group] = ids.map(({ stdout }) => Number(stdout))
  const prefix = ['setpriv', `--reuid=${user}`, `--regid=${group}`, '--clear-groups']
  return { prefix, own: (path) => chown(path, required(user), required(group)) }
}

/** Makes and starts a primary without databases and a replica of it. */
export async function openStandby(): Promise<Standby> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-standby-'))
  const { prefix, own } = await userOf()
  await own(folder)
  const command = (program: string, args: string[]) =>
    [...prefix, join(required(programs), program), ...args] as [string]
  const run = async (program: string, args: string[]) => {
    const [first, ...rest] = command(program, args)
    await promisify(execFile)(first, rest, { cwd: folder })
  }
  const cluster = async (name: string) => {
    const port = await freePort()
    const sockets = `unix_socket_directories=${folder}`
    const options = [...OPTIONS, `port=${port}`, 'listen_addresses=127.0.0.1', sockets].flatMap((option) => [
      '-c',
      option,
    ])
    return clusterOf(port, () => {
      const [first, ...rest] = command('postgres', ['-D', join(folder, name), ...options])
      return spawn(first, rest, { cwd: folder, stdio: 'ignore' })
    })
  }
  await run('initdb', [
    '-D',
    join(folder, 'primary'),
    '-U',
    'postgres',
    '-A',
    'trust',
    '-N',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
  ])
  const primary = await cluster('primary')
  await primary.start()
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres']
  await run('pg_basebackup', [...from, '-D', join(folder, 'replica'), '-R', '-X', 'stream', '-c', 'fast', '-N'])
  const replica = await cluster('replica')
  await replica.start()
  return {
    primary,
    replica,
    async caughtUp() {
      const { rows } = await primary.run('select pg_current_wal_flush_lsn() as place')
      const until = performance.now() + 20_000
      const replayed = `select pg_last_wal_replay_lsn() >= '${rows[0]?.place}' as done`
      while (!(await replica.run(replayed)).rows[0]?.done) {
        if (performance.now() > until) throw new Error('The replica does not replay')
        await setTimeout(10)
      }
    },
    async close() {
      await Promise.all([primary, replica].map((one) => one.stop()))
      await rm(folder, { recursive: true })
    },
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
