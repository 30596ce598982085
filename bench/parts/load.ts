// Starts a server on one core and loads it from another, as fast as it answers (a closed loop: how much it can do, and not how
// long a request waits, which offered.ts tells). What is compared is requests a CPU-second: that does not change when the machine
// is busy with something else, as a rate by the clock does.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { cpuNow, cpuSince } from './cpu.ts'
import type { Both } from './figures.ts'
import { Slices } from './slices.ts'

const CORE = '0'
const SLICE_MILLISECONDS = 150

export interface RunningServer {
  url: string
  pid: number
  /** Milliseconds from its start until it answered. */
  readyAfter: number
  stop(): Promise<void>
}

/** They end with the bench, also when it is interrupted. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

const pinned = spawnSync('taskset', ['--version']).status === 0 ? ['taskset', '-c', CORE] : []

/** Runs `node <args>` and waits until `path` answers on `port`. */
export async function startServer(
  args: string[],
  port: number,
  path: string,
  env: NodeJS.ProcessEnv = {},
): Promise<RunningServer> {
  const url = `http://127.0.0.1:${port}`
  if (await isTaken(url)) throw new Error(`Another server listens on port ${port}: end it first`)
  const [command, ...rest] = [...pinned, process.execPath, ...args] as [string, ...string[]]
  const started = performance.now()
  const child = spawn(command, rest, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PORT: String(port), ...env },
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
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

const isTaken = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  )

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

/** The server that does nothing but send what `server` answers to a request for `path`: the limit of what can be had. */
export async function startBare(
  server: Pick<RunningServer, 'url'>,
  path: string,
  { port, folder }: { port: number; folder: string },
): Promise<RunningServer> {
  const answer = await fetch(server.url + path)
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  const body = await answer.text()
  const unsent = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-encoding']
  const headers = [...answer.headers].filter(([name]) => !unsent.includes(name)).flat()
  const file = join(folder, `answer-${port}.json`)
  writeFileSync(file, JSON.stringify({ headers, body }))
  return startServer(['bench/parts/bare.ts', file], port, path)
}

/** Where a page is: an address by an id leads to one with the title. */
export async function addressIn({ url }: Pick<RunningServer, 'url'>, path: string): Promise<string> {
  const answer = await fetch(url + path)
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return new URL(answer.url).pathname
}

export interface Load {
  connections: number
  /** What every connection sends in turn, or the one with this number. */
  requests: autocannon.Request[] | ((connection: number) => autocannon.Request[])
  seconds?: number
}

export interface Outcome {
  perSecond: number
  /** Of the server's CPU, in all of the time. */
  perCpuSecond: number
  /** CPU microseconds of a request (slices.ts). */
  cost: Both
}

/** Loads the server and counts; throws when anything but 2xx comes back. */
export async function load(
  server: Pick<RunningServer, 'url' | 'pid'>,
  { connections, requests, seconds = 4 }: Load,
): Promise<Outcome> {
  const { url } = server
  const each = typeof requests === 'function' ? requests : () => requests
  const begin = (duration: number) => {
    let connection = 0
    const setupClient = (client: autocannon.Client) => client.setRequests(each(connection++))
    return autocannon({ url, connections, duration, requests: each(0), setupClient }, () => undefined)
  }
  await once(begin(1), 'done')
  let answered = 0
  const slices = new Slices(server)
  const before = cpuNow(server)
  const running = begin(seconds)
  running.on('response', () => answered++)
  const clock = setInterval(() => {
    slices.end(answered)
    answered = 0
  }, SLICE_MILLISECONDS)
  const [result] = (await once(running, 'done')) as [autocannon.Result]
  clearInterval(clock)
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refusals, ${result.errors} errors at ${url}`)
  const { total } = result.requests
  const perCpuSecond = total / cpuSince(before, server).server
  return { perSecond: total / result.duration, perCpuSecond, cost: slices.cost() }
}
