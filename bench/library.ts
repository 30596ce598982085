// The library with 100,000 items and 300,000 versions: lists, items, search, uploads and downloads.
// Run: node bench/library.ts
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import autocannon from 'autocannon'
import { openDatabase } from '../src/database/open.ts'
import { findItems } from '../src/library/items/finding/search.ts'
import { zip } from '../test/corpus/zip-writer.ts'
import { figure, median } from './figures.ts'
import { SESSION_TOKEN } from './fill.ts'
import { COMMON, fillLibrary, kindOf, rareWord, slugOfItem } from './fill-library.ts'
import { load, type RunningServer, startServer } from './load.ts'

const ITEMS = 100_000
const ROUNDS = 3
const READY = '/healthz'
const cookie = `guildhall_session=${SESSION_TOKEN}`
const MEGABYTE = 1_000_000

function bareAnswer(): string {
  const path = join(folder, 'answer.json')
  writeFileSync(path, JSON.stringify({ headers: ['Content-Type', 'text/plain'], body: 'x'.repeat(1_000) }))
  return path
}

/** Signed in and never the same address twice in a row, so that no answer is ready. */
async function lists(server: RunningServer): Promise<void> {
  const signedIn = (path: string) => ({
    method: 'GET' as const,
    path: `/api/library/items${path}`,
    headers: { cookie },
  })
  const each = (path: (index: number) => string) => Array.from({ length: 200 }, (_, index) => signedIn(path(index)))
  // What the machine gives today: requests for nothing at all, on the same core.
  const bare = await startServer(['bench/bare.ts', bareAnswer()], 4204, '/')
  console.log(
    `  bare server: ${(await load(bare, { connections: 16, requests: [{ path: '/' }], seconds: 2 })).perCpuSecond.toFixed(0)} a CPU-second`,
  )
  await bare.stop()
  const measured: [name: string, requests: autocannon.Request[], atLeast: number][] = [
    ['list page of 24', each((index) => `?page=${index + 1}`), 2_500],
    ['list page of 24, of a kind, by votes', each((index) => `?sort=popular&kind=workflow&page=${index + 1}`), 2_500],
    ['item by slug', each((index) => `/${kindOf(index * 499)}/${slugOfItem(index * 499)}`), 5_000],
  ]
  for (const [name, requests, atLeast] of measured) {
    const rates: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      rates.push((await load(server, { connections: 16, requests, seconds: 2 })).perCpuSecond)
    }
    figure(`${name}, signed in`, median(rates), 'a CPU-second', { atLeast })
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

async function upload(server: RunningServer, bytes: Buffer): Promise<{ id: string } | undefined> {
  const form = new FormData()
  form.append('kind', 'automation')
  form.append('file', new File([new Uint8Array(bytes)], 'bench.mpkg'))
  const answer = await fetch(`${server.url}/api/library/items`, { method: 'POST', headers: { cookie }, body: form })
  if (answer.status !== 201) throw new Error(`Answered ${answer.status}: ${await answer.text()}`)
  const text = await answer.text()
  return text ? (JSON.parse(text) as { id: string }) : undefined
}

async function eightAtOnce(server: RunningServer, files: readonly Buffer[]): Promise<number> {
  const started = performance.now()
  await Promise.all(files.map((file) => upload(server, file)))
  return performance.now() - started
}

const peakMegabytes = (pid: number) =>
  Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmHWM:\s+(\d+)/)![1]) / 1024

async function uploads(data: string): Promise<void> {
  const server = await start(data, 4201)
  const bare = await startServer(['bench/bare-uploads.ts', join(folder, 'bare')], 4202, '/')
  const ratios: number[] = []
  const slowest: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const files = Array.from({ length: 8 }, (_, index) => automationOf(20 * MEGABYTE, round * 8 + index + 1))
    const limit = await eightAtOnce(bare, files)
    const alone = await eightAtOnce(server, files)
    ratios.push(alone / limit)
    console.log(`  8 x 20 MB: bare ${limit.toFixed(0)} ms, published ${alone.toFixed(0)} ms`)
  }
  const reader = autocannon({
    url: `${server.url}/api/community/feed`,
    connections: 4,
    overallRate: 100,
    duration: 6,
    headers: { cookie },
  })
  for (let round = 0; round < 2; round++) {
    await eightAtOnce(
      server,
      Array.from({ length: 8 }, (_, index) => automationOf(20 * MEGABYTE, 100 + round * 8 + index)),
    )
  }
  slowest.push((await reader).latency.p99)
  figure('8 uploads of 20 MB at once, against a bare server', median(ratios), 'x the time', { atMost: 1.2 })
  figure('most memory that was ever resident', peakMegabytes(server.pid), 'MB', { atMost: 180 })
  figure('feed requests meanwhile, p99', median(slowest), 'ms', { atMost: 100 })
  await bare.stop()
  await downloads(server)
  await server.stop()
}

async function downloads(server: RunningServer): Promise<void> {
  const bytes = automationOf(5 * MEGABYTE, 999)
  const { id } = (await upload(server, bytes))!
  const nginx = startNginx(bytes, 4203)
  if (!nginx) {
    console.log('  downloads against nginx: skipped, because nginx is not installed (apt-get install nginx-light)')
    return
  }
  await new Promise((resolve) => setTimeout(resolve, 500))
  const run = async (url: string) =>
    (await autocannon({ url, connections: 8, duration: 3, headers: { cookie } })).requests.average
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
