// A continuous backup with 1,000,000 things in the database, under writes: how long until its first backup is complete, and how old the oldest
// write ever was that it had not shipped. While it takes a backup, over a SIGKILL, and when it was away for more than BACKUP_LOG_MB.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { marksBeside } from '@guildhall/durable-sqlite/following'
import { figure } from './parts/figures.ts'
import { cookieOf, SESSIONS } from './parts/fill-accounts.ts'
import { fill } from './parts/fill-bugs.ts'
import { type RunningServer, startServer } from './parts/load.ts'
import { engine, rowsOr } from './parts/options.ts'
import { inPlaces, type Place } from './parts/places.ts'
import { Shipped, titleOf } from './parts/shipped.ts'

const PORT = 4187
const THINGS = rowsOr(1_000_000)
const EVERY_MILLISECONDS = 50
const STEADY_MILLISECONDS = 10_000
/** How long a write may take to be shipped after the last one. */
const PATIENCE_MILLISECONDS = 60_000
/** The least that it can be, in MB. */
const BACKUP_LOG_MB = '64'
/** Writers that fill the log. */
const WRITERS = 8

if (engine !== 'sqlite') {
  console.log('  is for SQLite: PostgreSQL archives its own log')
  process.exit()
}

/** Posts by members; the time of each that was acknowledged, by its number. */
class Writes {
  readonly acknowledged = new Map<number, number>()
  readonly #server: RunningServer
  #number = 0

  constructor(server: RunningServer) {
    this.#server = server
  }

  async write(characters: number): Promise<void> {
    const { url } = this.#server
    const number = this.#number++
    const headers = { 'Content-Type': 'application/json', Cookie: cookieOf(number % SESSIONS), Origin: url }
    const body = JSON.stringify({ title: titleOf(number), body: 'word '.repeat(characters / 5) })
    const answer = await fetch(`${url}/api/community/posts`, { method: 'POST', headers, body })
    if (answer.status !== 201) throw new Error(`Answered ${answer.status}: ${await answer.text()}`)
    this.acknowledged.set(number, Date.now())
  }

  /** One after the other while `work` runs; resolves with the numbers of those that were acknowledged. */
  async during(work: () => Promise<unknown>): Promise<number[]> {
    const first = this.#number
    let isDone = false
    const working = work().finally(() => {
      isDone = true
    })
    working.catch(() => {})
    for (; !isDone; await sleep(EVERY_MILLISECONDS)) await this.write(500)
    await working
    return Array.from({ length: this.#number - first }, (_, at) => first + at)
  }
}

/** `admin backup --continuous` in a process of its own. */
class Backup {
  readonly #place: Place
  readonly #kept: string
  #process: ChildProcess | undefined
  #printed = ''

  constructor(place: Place, kept: string) {
    this.#place = place
    this.#kept = kept
  }

  start(): void {
    const env = { ...process.env, ...this.#place.environment, BACKUP_LOG_MB }
    this.#printed = ''
    const child = spawn(process.execPath, ['src/admin.ts', 'backup', this.#kept, '--continuous'], { env })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (this.#printed += String(chunk)))
    process.once('exit', () => child.kill('SIGKILL'))
    this.#process = child
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process
    if (child?.exitCode !== null) throw new Error(`The backup has ended: ${this.#printed}`)
    child.kill(signal)
    await once(child, 'exit')
  }

  async complete(): Promise<void> {
    while (!this.#printed.includes('is complete')) {
      if (this.#process?.exitCode !== null) throw new Error(`The backup has ended: ${this.#printed}`)
      await sleep(20)
    }
  }
}

interface Measured {
  writes: Writes
  shipped: Shipped
}

/** How old the oldest of these writes was when it was shipped, in seconds: of those that came after the stream began. */
async function oldestOf({ writes, shipped }: Measured, numbers: readonly number[]): Promise<number> {
  const timeOf = (number: number) => writes.acknowledged.get(number) ?? 0
  const inStream = numbers.filter((number) => timeOf(number) >= shipped.begunAt)
  const until = performance.now() + PATIENCE_MILLISECONDS
  while (!inStream.every((number) => shipped.at.has(number))) {
    if (performance.now() > until) throw new Error('Not every write was shipped')
    await sleep(EVERY_MILLISECONDS)
  }
  return Math.max(0, ...inStream.map((number) => (shipped.at.get(number) ?? 0) - timeOf(number))) / 1_000
}

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1_000
}

/** Writes until the server has given up the place of the backup in its log. */
async function writeBeyondLog({ writes }: Measured, path: string): Promise<void> {
  const writer = async () => {
    while (marksBeside(path).length > 0) await writes.write(2_000)
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
}

async function measure(measured: Measured, backup: Backup, path: string): Promise<void> {
  const { writes } = measured
  let took = 0
  const complete = async () => {
    took = await secondsOf(() => backup.complete())
  }
  const notShipped = async (when: string, numbers: readonly number[], limit?: { atMost: number }) =>
    figure(`oldest write not shipped, ${when}`, await oldestOf(measured, numbers), 's', limit)
  backup.start()
  const first = await writes.during(complete)
  figure('until the first backup is complete', took, 's')
  await notShipped('while the first backup is taken', first)
  await notShipped('otherwise', await writes.during(() => sleep(STEADY_MILLISECONDS)), { atMost: 1 })
  const over = await writes.during(async () => {
    await sleep(STEADY_MILLISECONDS / 4)
    await backup.end('SIGKILL')
    backup.start()
    await sleep(STEADY_MILLISECONDS)
  })
  await notShipped('over a SIGKILL of the backup and its start', over)
  await backup.end('SIGKILL')
  const left = Date.now()
  figure('away until BACKUP_LOG_MB=64 is reached', await secondsOf(() => writeBeyondLog(measured, path)), 's')
  backup.start()
  const second = await writes.during(complete)
  figure('until the backup that begins again is complete', took, 's')
  figure('oldest write in no complete backup by then', (Date.now() - left) / 1_000, 's')
  await notShipped('while it is taken', second)
  await backup.end('SIGTERM')
}

await inPlaces(async (make) => {
  const place = await make('continuous')
  await fill(place.url, { bugs: THINGS, votes: 0, users: 2_000 })
  const settings = { ...place.environment, RATE_LIMITS: 'off', LOG_LEVEL: 'warn', BACKUP_LOG_MB }
  const server = await startServer(['src/main.ts'], PORT, '/readyz', settings)
  const { folder } = await make('continuous-backups')
  const kept = join(folder, 'kept')
  const shipped = await Shipped.in(kept)
  await measure({ writes: new Writes(server), shipped }, new Backup(place, kept), place.url)
  await shipped.close()
  await server.stop()
})
