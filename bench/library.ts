// The library with 100,000 items and 300,000 versions: lists, items, search, uploads and downloads.
// Run: node bench/library.ts
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { openDatabase } from '../src/database/open.ts'
import { findItems } from '../src/library/finding/search.ts'
import { zip } from '../test/corpus/zip-writer.ts'
import { figure, median } from './figures.ts'
import { SESSION_TOKEN } from './fill.ts'
import { COMMON, fillLibrary, kindOf, rareWord, slugOfItem } from './fill-library.ts'
import { cpuSeconds, load, type RunningServer, startServer } from './load.ts'

const ITEMS = 100_000
const ROUNDS = 3
/** More of them: what the disk and the other core do shows in each. */
const UPLOAD_ROUNDS = 7
const READY = '/healthz'
const cookie = `guildhall_session=${SESSION_TOKEN}`
const MEGABYTE = 1_000_000

function bareAnswer(): string {
  const path = join(folder, 'answer.json')
  writeFileSync(path, JSON.stringify({ headers: ['Content-Type', 'text/plain'], body: 'x'.repeat(1_000) }))
  return path
}

/** Of anonymous callers, whose responses are cached until the next commit, and signed in. */
async function lists(server: RunningServer): Promise<void> {
  const each = (path: (index: number) => string) => (headers: Record<string, string>) =>
    Array.from({ length: 200 }, (_, index) => ({
      method: 'GET' as const,
      path: `/api/library/items${path(index)}`,
      headers,
    }))
  // What the machine gives today: requests for nothing at all, on the same core.
  const bare = await startServer(['bench/bare.ts', bareAnswer()], 4204, '/')
  console.log(
    `  bare server: ${(await load(bare, { connections: 16, requests: [{ path: '/' }], seconds: 2 })).perCpuSecond.toFixed(0)} a CPU-second`,
  )
  await bare.stop()
  const measured: [name: string, requests: ReturnType<typeof each>, atLeast: number][] = [
    ['list page of 24', each((index) => `?page=${index + 1}`), 2_500],
    ['list page of 24, of a kind, by votes', each((index) => `?sort=popular&kind=workflow&page=${index + 1}`), 2_500],
    ['item by slug', each((index) => `/${kindOf(index * 499)}/${slugOfItem(index * 499)}`), 5_000],
  ]
  for (const [name, requests, atLeast] of measured) {
    const rate = async (headers: Record<string, string>) => {
      const rates: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        rates.push((await load(server, { connections: 16, requests: requests(headers), seconds: 2 })).perCpuSecond)
      }
      return median(rates)
    }
    figure(name, await rate({}), 'a CPU-second', { atLeast })
    figure(`${name}, signed in`, await rate({ cookie }), 'a CPU-second')
  }
}

interface Asked {
  name: string
  q?: string
  tag?: string
  order?: 'latest' | 'popular'
  offset?: number
  atMost?: number
}

const asked: Asked[] = [
  { name: 'search for a word of one item', q: rareWord(54_321), atMost: 1 },
  { name: 'search for what no item has', q: 'wxyzwxyz', atMost: 1 },
  { name: 'search for a word of a quarter of all items', q: COMMON, atMost: 10 },
  { name: 'search for the same, by votes', q: COMMON, order: 'popular', atMost: 10 },
  { name: 'search for the same, the last page there is', q: COMMON, offset: 976 },
  { name: 'a tag of a quarter of all items', tag: 'common', atMost: 10 },
  { name: 'a tag of a quarter of all items, 500 pages in', tag: 'common', offset: 12_000 },
  { name: 'search for two characters', q: 'ma' },
  { name: 'search for two characters that no item has', q: '~~' },
]

async function searches(path: string): Promise<void> {
  const { db } = await openDatabase(path)
  const stops: number[] = []
  for (const { name, q = '', tag = '', order = 'latest', offset = 0, atMost } of asked) {
    const shelf = { scope: 'public' as const, kind: undefined, ownerId: '' }
    const rounds: { took: number; stopped: number }[] = []
    for (let round = 0; round < 15; round++) {
      rounds.push(await watched(() => findItems(db, { shelf, wanted: { q, tag }, order, offset, limit: 24 })))
    }
    figure(name, median(rounds.map(({ took }) => took)), 'ms', atMost === undefined ? undefined : { atMost })
    stops.push(median(rounds.map(({ stopped }) => stopped)))
  }
  figure('the longest stop of the event loop in any of these', Math.max(...stops), 'ms', { atMost: 20 })
  await db.destroy()
}

/** Milliseconds that something took, and the longest time in which nothing else had its turn. */
async function watched(run: () => Promise<unknown>): Promise<{ took: number; stopped: number }> {
  let stopped = 0
  let last = performance.now()
  const started = last
  let beating = true
  const beat = () => {
    const now = performance.now()
    stopped = Math.max(stopped, now - last)
    last = now
    if (beating) setImmediate(beat)
  }
  setImmediate(beat)
  await run()
  const took = performance.now() - started
  beating = false
  await new Promise((next) => setTimeout(next, 2))
  return { took, stopped }
}

const noise = (length: number, seed: number) => {
  const bytes = Buffer.alloc(length)
  for (let at = 0, state = seed; at < length; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    bytes.writeInt32LE(state, at)
  }
  return bytes
}

/** A sound automation of this many bytes and a little more. */
function automationOf(bytes: number, seed: number): Buffer {
  const manifest = {
    schema: 'monoagent.automation/v1',
    id: `bench-${seed}`,
    name: 'Bench',
    version: '1.0.0',
    actions: [],
  }
  return zip([
    { name: 'automation.json', data: JSON.stringify(manifest) },
    { name: 'a.bin', data: noise(bytes / 2, seed), method: 0 },
    { name: 'b.bin', data: noise(bytes / 2, ~seed), method: 0 },
  ])
}

/** Sends a form as it is, so that the client costs next to nothing. */
async function upload(server: RunningServer, bytes: Buffer): Promise<string> {
  const part = (name: string, more: string) => `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
  const opening = Buffer.from(`${part('kind', '')}automation\r\n${part('file', '; filename="bench.mpkg"')}`)
  const closing = Buffer.from('\r\n--b--\r\n')
  const length = opening.length + bytes.length + closing.length
  const headers = { cookie, 'content-type': 'multipart/form-data; boundary=b', 'content-length': length }
  const sending = request(`${server.url}/api/library/items`, { method: 'POST', headers })
  for (const piece of [opening, bytes]) sending.write(piece)
  sending.end(closing)
  const [answer] = (await once(sending, 'response')) as [IncomingMessage]
  const answered = await text(answer)
  if (answer.statusCode !== 201) throw new Error(`Answered ${answer.statusCode}: ${answered}`)
  return answered
}

async function eightAtOnce(server: RunningServer, files: readonly Buffer[]) {
  const started = performance.now()
  const before = cpuSeconds(server.pid)
  await Promise.all(files.map((file) => upload(server, file)))
  return { milliseconds: performance.now() - started, cpu: cpuSeconds(server.pid) - before }
}

const peakMegabytes = (pid: number) =>
  Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmHWM:\s+(\d+)/)![1]) / 1024

async function uploads(data: string): Promise<void> {
  const server = await start(data, 4201)
  const bare = await startServer(['bench/bare-uploads.ts', join(folder, 'bare')], 4202, '/')
  const ratios: number[] = []
  const feed: number[] = []
  let seed = 1
  const files = () => Array.from({ length: 8 }, () => automationOf(20 * MEGABYTE, seed++))
  const told = ({ milliseconds, cpu }: { milliseconds: number; cpu: number }) =>
    `${milliseconds.toFixed(0)} ms (${cpu.toFixed(2)} s of CPU)`
  for (let round = 0; round < ROUNDS; round++) {
    // Made beforehand: while it makes them, this process cannot take an answer.
    const same = files()
    const reading = new AbortController()
    const read = feedMeanwhile(server, reading.signal)
    await eightAtOnce(server, same)
    reading.abort()
    feed.push(...(await read))
  }
  // The first round compiles both and does not count.
  for (let round = 0; round <= UPLOAD_ROUNDS; round++) {
    const same = files()
    const limit = await eightAtOnce(bare, same)
    const published = await eightAtOnce(server, same)
    if (round > 0) ratios.push(published.milliseconds / limit.milliseconds)
    console.log(`  8 x 20 MB: bare ${told(limit)}, published ${told(published)}`)
  }
  figure('8 uploads of 20 MB at once, against a bare server', median(ratios), 'x the time', { atMost: 1.2 })
  figure('most memory that was ever resident', peakMegabytes(server.pid), 'MB', { atMost: 180 })
  const p99 = feed.toSorted((a, b) => a - b)[Math.floor(feed.length * 0.99)]!
  figure(`feed requests meanwhile (${feed.length}), p99`, p99, 'ms', { atMost: 100 })
  await bare.stop()
  await downloads(server)
  await server.stop()
}

/** Milliseconds that each of a row of feed requests took, until told to stop. */
async function feedMeanwhile({ url }: RunningServer, signal: AbortSignal): Promise<number[]> {
  const took: number[] = []
  while (!signal.aborted) {
    const started = performance.now()
    const [answer] = (await once(get(`${url}/api/community/feed`, { headers: { cookie } }), 'response')) as [
      IncomingMessage,
    ]
    await once(answer.resume(), 'end')
    took.push(performance.now() - started)
    await new Promise((next) => setTimeout(next, 5))
  }
  return took
}

async function downloads(server: RunningServer): Promise<void> {
  const bytes = automationOf(5 * MEGABYTE, 999)
  const { id } = JSON.parse(await upload(server, bytes)) as { id: string }
  const nginx = startNginx(bytes, 4203)
  if (!nginx) {
    console.log('  downloads against nginx: skipped, because nginx is not installed (apt-get install nginx-light)')
    return
  }
  await new Promise((resolve) => setTimeout(resolve, 500))
  const run = (url: string) => drain(url, { connections: 8, seconds: 3 })
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const limit = await run('http://127.0.0.1:4203/file')
    const ours = await run(`${server.url}/api/library/items/${id}/artifact`)
    console.log(`  5 MB downloads a second: nginx ${limit.toFixed(0)}, ours ${ours.toFixed(0)}`)
    ratios.push(ours / limit)
  }
  figure('downloads of 5 MB, against nginx with sendfile', median(ratios), 'x', { atLeast: 0.45 })
  nginx.kill('SIGTERM')
}

/** Downloads a second. The client parses nothing but the head, or it would be what is measured. */
async function drain(url: string, { connections, seconds }: { connections: number; seconds: number }): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const end = performance.now() + seconds * 1000
  let count = 0
  const client = async () => {
    while (performance.now() < end) {
      const [answer] = (await once(get(url, { agent, headers: { cookie } }), 'response')) as [IncomingMessage]
      await once(answer.resume(), 'end')
      count++
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: connections }, client))
  agent.destroy()
  return count / ((performance.now() - started) / 1000)
}

function startNginx(bytes: Buffer, port: number): ChildProcess | undefined {
  const command = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).status === 0)
  if (!command) return undefined
  const root = resolve(folder, 'nginx')
  mkdirSync(root)
  writeFileSync(join(root, 'file'), bytes)
  writeFileSync(
    join(root, 'nginx.conf'),
    `daemon off; worker_processes 1; worker_cpu_affinity 01; pid ${root}/pid; error_log ${root}/error.log;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 64; }
http { access_log off; sendfile on; tcp_nopush on; client_body_temp_path ${root}/body; proxy_temp_path ${root}/proxy;
fastcgi_temp_path ${root}/fastcgi; uwsgi_temp_path ${root}/uwsgi; scgi_temp_path ${root}/scgi;
server { listen 127.0.0.1:${port}; root ${root}; keepalive_requests 1000000; } }`,
  )
  return spawn(command, ['-c', join(root, 'nginx.conf')], { stdio: 'ignore' })
}

const start = (data: string, port: number) =>
  startServer(['src/main.ts'], port, READY, { DATA_DIR: data, NODE_ENV: '', LOG_LEVEL: 'warn' })

// Beside the project and not in /tmp, which may be memory: an fsync must reach a disk.
const folder = mkdtempSync('bench-data-')
try {
  const data = join(folder, 'library')
  mkdirSync(data)
  const path = join(data, 'guildhall.db')
  await fillLibrary(path, { items: ITEMS, versionsEach: 3, users: 2_000 })
  const server = await start(data, 4200)
  await lists(server)
  await server.stop()
  await searches(path)
  await uploads(data)
} finally {
  rmSync(folder, { recursive: true })
}
