// A PostgreSQL for the tests of one run, in a temporary folder: `npm test` starts it where the programs are installed, and it is gone after
// the run, however that ends.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { initialize, program, programs, startingIn } from './postgres-programs.ts'
import { freePort } from './server.ts'

/** Nothing here has to survive a power failure; every test process has connections of its own. */
const OPTIONS = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  shared_buffers: '128MB',
  listen_addresses: '127.0.0.1',
  // A path of a socket may have 107 bytes, and a folder for tests may have more.
  unix_socket_directories: '',
}
/** Runs the server until its input ends, which it does when the run is gone, even by SIGKILL. */
const UNTIL_ALONE = '"$0" "$@" & server=$!; exec 3<&0; (read -r _ <&3; kill -QUIT $server) & wait $server'
const START_MILLISECONDS = 60_000
const TRIES = 3

export interface OwnPostgres {
  /** What TEST_POSTGRES_URL would be. */
  url: string
  stop(): Promise<void>
}

/** Starts it; undefined where its programs are not installed. */
export async function startPostgres(): Promise<OwnPostgres | undefined> {
  if (!programs) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-postgres-'))
  try {
    const password = randomBytes(16).toString('hex')
    await initialize(join(folder, 'data'), folder, password)
    for (let tries = 1; ; tries++) {
      const started = await startIn(folder, password)
      if (started) return started
      // Another program may have taken the port in between.
      if (tries === TRIES) throw new Error(`PostgreSQL does not start:\n${readFileSync(join(folder, 'log'), 'utf8')}`)
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function startIn(folder: string, password: string): Promise<OwnPostgres | undefined> {
  const port = await freePort()
  const options = Object.entries({ ...OPTIONS, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = createWriteStream(join(folder, 'log'), { flags: 'a' })
  await once(log, 'open')
  const server = spawn('sh', ['-c', UNTIL_ALONE, program('postgres'), '-D', join(folder, 'data'), ...options], {
    ...startingIn(folder),
    stdio: ['pipe', log, log],
    // Ctrl-C ends the tests first.
    detached: true,
  })
  log.close()
  const ended = once(server, 'exit')
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  const end = performance.now() + START_MILLISECONDS
  while (server.exitCode === null && performance.now() < end) {
    if (await answers(url)) {
      return {
        url,
        async stop() {
          server.stdin.end()
          await ended
          await rm(folder, { recursive: true, force: true })
        },
      }
    }
    await setTimeout(50)
  }
  server.stdin.end()
  await ended
  return undefined
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
