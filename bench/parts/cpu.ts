// CPU and memory of processes, from /proc (proc(5)). PostgreSQL's CPU is that of its first process (postmaster) and of all that
// it started: those that run, and those that have ended, which the system adds to the postmaster's `cutime` and `cstime`. That is
// every database of this PostgreSQL and its background work as well, so nothing else may use it during a bench.
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import type { Both } from './figures.ts'

const CLOCK_TICKS = 100

/** CPU seconds. */
export interface Cpu {
  server: number
  postgres: number
}

let postmaster: number | undefined

/** Finds the processes of the PostgreSQL at `url`, which has to run on this machine. */
export async function watchPostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const { parent, name } = statOf(rows[0]!.pid)
    if (!name.startsWith('postgres')) throw new Error(`process ${rows[0]!.pid} is ${name}`)
    postmaster = parent
  } catch (cause) {
    throw new Error('The CPU of PostgreSQL cannot be read: it has to run on this machine, in the same PID namespace', {
      cause,
    })
  } finally {
    await client.end()
  }
}

function statOf(pid: number) {
  const [, name = '', rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').match(/^\d+ \((.*)\) (.*)/s) ?? []
  const [, parent, ...fields] = rest.split(' ').map(Number) as [number, number, ...number[]]
  const [own, ended] = [fields[9]! + fields[10]!, fields[11]! + fields[12]!]
  return { name, parent, own: own / CLOCK_TICKS, ended: ended / CLOCK_TICKS }
}

/** CPU seconds that a process has used, in user and kernel mode, with all its threads, in clock ticks. */
const secondsOf = (pid: number): number => statOf(pid).own

/** To the nanosecond; threads that have ended are not in it. */
const threadSecondsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => runningSeconds(`${pid}/task/${thread}`))
    .reduce((sum, seconds) => sum + seconds, 0)

function postgresSeconds(): number {
  if (postmaster === undefined) return 0
  const { own, ended } = statOf(postmaster)
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ')
  return own + ended + children.map(runningSeconds).reduce((sum, seconds) => sum + seconds, 0)
}

/** In nanoseconds and not in clock ticks: of one thread, as every process of PostgreSQL is. */
function runningSeconds(thread: string): number {
  try {
    return Number(readFileSync(`/proc/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9
  } catch {
    // It ended just now.
    return 0
  }
}

/** CPU used so far by a server, or without one by this process, and by PostgreSQL. */
export const cpuNow = (server?: { pid: number }): Cpu => ({
  server: server ? secondsOf(server.pid) : ownSeconds(),
  postgres: postgresSeconds(),
})

/** The same, for short times. */
export const preciseCpuNow = (server?: { pid: number }): Cpu => ({
  server: server ? threadSecondsOf(server.pid) : ownSeconds(),
  postgres: postgresSeconds(),
})

function ownSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** CPU seconds since `before`: of the server alone, and with PostgreSQL's. */
export function cpuSince(before: Cpu, server?: { pid: number }): Both {
  const now = cpuNow(server)
  const own = now.server - before.server
  return { server: own, all: own + now.postgres - before.postgres }
}

const statusOf = (pid: number, field: string) =>
  Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(new RegExp(`${field}:\\s+(\\d+)`))![1]) / 1024

/** Resident memory of a process in MB: now, and the most there ever was. */
export const residentMegabytes = (pid: number): number => statusOf(pid, 'VmRSS')
export const peakMegabytes = (pid: number): number => statusOf(pid, 'VmHWM')
