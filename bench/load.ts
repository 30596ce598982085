// Starts a server on one core and loads it from another. What is compared is requests a CPU-second of the server: it does
// not change when the machine is busy with something else, as a rate by the clock does.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'

const CLOCK_TICKS = 100
const CORE = '0'

export interface RunningServer {
  url: string
  pid: number
  /** Milliseconds from its start until it answered. */
  readyAfter: number
  stop(): Promise<void>
}

const pinned = spawnSync('taskset', ['--version']).status === 0 ? ['taskset', '-c', CORE] : []

/** Runs `node <args>` and waits until `path` answers on `port`. */
export async function startServer(
  args: string[],
  port: number,
  path: string,
  env: NodeJS.ProcessEnv = {},
): Promise<RunningServer> {
  const [command, ...rest] = [...pinned, process.execPath, ...args] as [string, ...string[]]
  const started = performance.now()
  const child = spawn(command, rest, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PORT: String(port), ...env },
  })
  const url = `http://127.0.0.1:${port}`
  await answers(url + path, child)
  return {
    url,
    pid: child.pid!,
    readyAfter: performance.now() - started,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    try {
      if ((await fetch(url)).ok) return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  throw new Error(`The server ended with ${child.exitCode}`)
}

/** CPU seconds a process has used, in user and kernel mode (proc(5)). */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS
}

/** Resident memory of a process in MB. */
export function residentMegabytes(pid: number): number {
  const kilobytes = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)![1]
  return Number(kilobytes) / 1024
}

export interface Load {
  connections: number
  /** What every connection sends in turn, or the one with this number. */
  requests: autocannon.Request[] | ((connection: number) => autocannon.Request[])
  seconds?: number
}

export interface Outcome {
  perSecond: number
  perCpuSecond: number
  p99: number
}

/** Loads the server and counts; throws when anything but 2xx comes back. */
export async function load(
  { url, pid }: RunningServer,
  { connections, requests, seconds = 4 }: Load,
): Promise<Outcome> {
  const run = (duration: number) => {
    if (Array.isArray(requests)) return autocannon({ url, connections, duration, requests })
    let connection = 0
    const setupClient = (client: autocannon.Client) => client.setRequests(requests(connection++))
    return autocannon({ url, connections, duration, requests: requests(0), setupClient })
  }
  await run(1)
  const before = cpuSeconds(pid)
  const result = await run(seconds)
  const cpu = cpuSeconds(pid) - before
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refusals, ${result.errors} errors at ${url}`)
  const total = result.requests.total
  return { perSecond: total / result.duration, perCpuSecond: total / cpu, p99: result.latency.p99 }
}
