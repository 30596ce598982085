// Three nodes of PostgreSQL that Patroni keeps, etcd that elects the primary, and HAProxy whose port leads to it. All are programs of
// Debian's packages, made for a test and gone after it: every process is ended by its own number.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { required } from '../src/runtime/untyped.ts'
import { program, programs, startingIn } from './postgres-programs.ts'
import { freePort } from './server.ts'

const NAMES = ['one', 'two', 'three']
/** What the handbook names (content/docs/sizing.md). */
const SETTINGS = { ttl: 20, loop_wait: 5, retry_timeout: 5, synchronous_mode: true, maximum_lag_on_failover: 1_048_576 }
const PATIENCE_MILLISECONDS = 180_000

const isThere = (name: string, flag: string) => spawnSync(name, [flag], { stdio: 'ignore' }).error === undefined
const absent = [
  ...(programs ? [] : ['PostgreSQL']),
  ...(isThere('patroni', '--version') ? [] : ['patroni']),
  ...(isThere('etcd', '--version') ? [] : ['etcd-server']),
  ...(isThere('haproxy', '-v') ? [] : ['haproxy']),
]
/** Why there is no cluster here. */
export const noCluster: string | undefined =
  absent.length > 0 ? `needs ${absent.join(', ')} (on Debian: apt-get install patroni etcd-server haproxy)` : undefined

interface Node {
  name: string
  port: number
  restPort: number
  data: string
  patroni: ChildProcess | undefined
}

export interface PatroniCluster {
  /** The address of a database, by HAProxy. */
  url(database: string, role?: string): string
  /** The addresses of a database at each node. */
  nodeUrls(database: string, role?: string): string[]
  /** Resolves when there is a primary with a synchronous replica, and every other node follows it. */
  whole(): Promise<void>
  /** Ends the machine of the primary: its PostgreSQL, with every process of it, and its Patroni are killed, or silent. Gives its name. */
  losePrimary(how: 'killed' | 'silent'): Promise<string>
  /** Starts Patroni of a node again, as if its machine had started. */
  restart(name: string): void
  /** The ends of the logs of all programs. */
  logs(): string
  close(): Promise<void>
}

type Start = (name: string, command: string, args: string[]) => ChildProcess

export async function openPatroni(): Promise<PatroniCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-patroni-'))
  const starting = startingIn(folder)
  const children = new Set<ChildProcess>()
  const start: Start = (name, command, args) => {
    const log = openSync(join(folder, `${name}.log`), 'a')
    const child = spawn(command, args, { ...starting, stdio: ['ignore', log, log] })
    closeSync(log)
    children.add(child)
    child.once('exit', () => children.delete(child))
    return child
  }
  const write = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text, { mode: 0o600 })
    if (starting.uid !== undefined) chownSync(path, starting.uid, starting.gid ?? 0)
    return path
  }
  const etcd = await startEtcd(folder, start)
  const nodes: Node[] = []
  for (const name of NAMES) {
    const [port, restPort] = [await freePort(), await freePort()]
    const node: Node = { name, port, restPort, data: join(folder, name), patroni: undefined }
    write(`${name}.yml`, JSON.stringify(configOf(node, folder, etcd)))
    nodes.push(node)
  }
  const startNode = (node: Node) => {
    node.patroni = start(node.name, 'patroni', [join(folder, `${node.name}.yml`)])
  }
  for (const node of nodes) startNode(node)
  const port = await freePort()
  start('haproxy', 'haproxy', ['-db', '-f', write('haproxy.cfg', proxyOf(port, nodes))])
  const killAll = () => {
    for (const child of children) child.kill('SIGKILL')
    for (const node of nodes) endMachine(node, 'SIGKILL')
  }
  process.once('exit', killAll)
  return {
    url: (database, role = 'postgres') => `postgres://${role}:secret@127.0.0.1:${port}/${database}`,
    nodeUrls: (database, role = 'postgres') =>
      nodes.map((node) => `postgres://${role}:secret@127.0.0.1:${node.port}/${database}`),
    whole: () => whole(nodes),
    async losePrimary(how) {
      const node = await primaryOf(nodes)
      if (!node) throw new Error('There is no primary')
      endMachine(node, how === 'killed' ? 'SIGKILL' : 'SIGSTOP')
      return node.name
    },
    restart(name) {
      const node = required(nodes.find((one) => one.name === name))
      endMachine(node, 'SIGKILL')
      startNode(node)
    },
    logs: () => logsIn(folder),
    async close() {
      const ended = [...children].map((child) => once(child, 'exit'))
      killAll()
      process.off('exit', killAll)
      await Promise.all(ended)
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    },
  }
}

async function startEtcd(folder: string, start: Start): Promise<string> {
  const [clients, peers] = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${port}`) as [
    string,
    string,
  ]
  const flags = {
    name: 'etcd',
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': clients,
    'advertise-client-urls': clients,
    'listen-peer-urls': peers,
    'initial-advertise-peer-urls': peers,
    'initial-cluster': `etcd=${peers}`,
    // On a machine with too much to do a leader of one is no sign of anything.
    'heartbeat-interval': '500',
    'election-timeout': '5000',
  }
  start(
    'etcd',
    'etcd',
    Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
  )
  const isUp = async () => (await fetch(`${clients}/health`).catch(() => undefined))?.ok === true
  await until(isUp, 'etcd answers')
  return clients.replace('http://', '')
}

function configOf({ name, port, restPort, data }: Node, folder: string, etcd: string): object {
  const account = (username: string) => ({ username, password: 'secret' })
  const parameters = {
    fsync: 'off',
    max_connections: 100,
    shared_buffers: '32MB',
    wal_keep_size: '256MB',
    wal_log_hints: 'on',
  }
  return {
    scope: 'guildhall',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { hosts: etcd },
    bootstrap: {
      dcs: { ...SETTINGS, postgresql: { use_pg_rewind: true, use_slots: true, parameters } },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: dirname(program('postgres')),
      pgpass: join(folder, `${name}.pgpass`),
      authentication: { superuser: account('postgres'), replication: account('replicator') },
      parameters: { unix_socket_directories: folder },
      pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
  }
}

/** As the documentation of Patroni has it, with quicker checks. */
const proxyOf = (port: number, nodes: readonly Node[]) => `
global
  maxconn 500
defaults
  mode tcp
  retries 2
  timeout connect 4s
  timeout client 30m
  timeout server 30m
  timeout check 3s
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 3 rise 1 on-marked-down shutdown-sessions
${nodes.map((node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.restPort}`).join('\n')}
`

async function primaryOf(nodes: readonly Node[]): Promise<Node | undefined> {
  const answers = await Promise.all(
    nodes.map(({ restPort }) => fetch(`http://127.0.0.1:${restPort}/primary`).catch(() => undefined)),
  )
  return nodes[answers.findIndex((answer) => answer?.ok)]
}

async function whole(nodes: readonly Node[]): Promise<void> {
  await until(async () => {
    const primary = await primaryOf(nodes)
    if (!primary) return false
    const client = new pg.Client({ connectionString: `postgres://postgres:secret@127.0.0.1:${primary.port}/postgres` })
    client.on('error', () => {})
    try {
      await client.connect()
      const states = `select count(*)::int as all, count(*) filter (where sync_state = 'sync')::int as sync
        from pg_stat_replication where state = 'streaming'`
      const { rows } = await client.query<{ all: number; sync: number }>(states)
      return rows[0]?.all === nodes.length - 1 && rows[0].sync === 1
    } catch {
      return false
    } finally {
      client.end().catch(() => {})
    }
  }, 'every node follows a primary')
}

/** Kills Patroni and PostgreSQL of a node with all processes, or stops them, before any of them can say so. */
function endMachine({ patroni, data }: Node, how: 'SIGKILL' | 'SIGSTOP'): void {
  patroni?.kill(how)
  const server = Number(read(join(data, 'postmaster.pid')).split('\n')[0])
  if (!server || !read(`/proc/${server}/cmdline`).includes(data)) return
  signal(server, 'SIGSTOP')
  const parentOf = (pid: string) => / [A-Z] (\d+) /.exec(read(`/proc/${pid}/stat`).replace(/^.*\)/, ''))?.[1]
  const processes = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === String(server))
  for (const pid of [...processes.map(Number), server]) signal(pid, how)
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended.
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function logsIn(folder: string): string {
  const names = readdirSync(folder).filter((name) => name.endsWith('.log'))
  return names.map((name) => `${name}:\n${read(join(folder, name)).split('\n').slice(-40).join('\n')}`).join('\n')
}

export async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + PATIENCE_MILLISECONDS
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`It does not come about that ${what}`)
    await sleep(200)
  }
}
