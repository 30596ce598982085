// A PgBouncer in front of the PostgreSQL of the tests, in one of its modes.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { startingIn } from './postgres-programs.ts'
import { freePort } from './server.ts'
import { temporaryDirectory } from './temporary.ts'

export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0

/** The address of this database behind a pooler of this mode, until the test ends. */
export async function openPooler(t: TestContext, url: string, mode: string): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const folder = await temporaryDirectory(t)
  const ownPort = await freePort()
  const login = [`user=${username}`, ...(password ? [`password=${password}`] : [])].join(' ')
  const path = join(folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${port || 5432} ${login}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${ownPort}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    'default_pool_size = 40',
  ]
  writeFileSync(path, `${lines.join('\n')}\n`)
  chmodSync(path, 0o644)
  const pooler = spawn('pgbouncer', ['-q', path], { ...startingIn(folder), stdio: 'ignore' })
  const ended = once(pooler, 'exit')
  t.after(async () => {
    pooler.kill('SIGKILL')
    await ended
  })
  const pooled = `postgres://${username}@127.0.0.1:${ownPort}${pathname}`
  while (!(await answers(pooled))) {
    if (pooler.exitCode !== null) throw new Error(`PgBouncer ended with ${pooler.exitCode}`)
    await setTimeout(50)
  }
  return pooled
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
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
