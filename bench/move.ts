// A server with 1,000,000 things moves from SQLite and files to PostgreSQL and a bucket: how long it takes, what it uses, and that
// everything is answered as before. The front door is attacked before and after.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { openBlobs } from '../src/storage/open-blobs.ts'
import { openObjectStorage } from '../test/object-storage.ts'
import { peakMegabytes } from './parts/cpu.ts'
import { figure } from './parts/figures.ts'
import { addAccounts, cookie } from './parts/fill-accounts.ts'
import { addBugs, bugId } from './parts/fill-bugs.ts'
import { addLibrary, kindOf, slugOfItem } from './parts/fill-library.ts'
import { fillDatabase } from './parts/filling.ts'
import { startServer } from './parts/load.ts'
import { engine, rowsOr } from './parts/options.ts'
import { inPlaces, type Place } from './parts/places.ts'

const THINGS = rowsOr(1_000_000)
const FILES = 5_000
const FILE_BYTES = 20_000
const PORT = 24_310

/** Six of ten things are bugs with a vote each, four are items of the library with two versions each. */
const [BUGS, ITEMS] = [THINGS * 0.6, THINGS * 0.4]

async function fillPlace({ url, folder }: Place): Promise<void> {
  const users = 2_000
  await fillDatabase(url, async (into) => {
    await addAccounts(into, users)
    await addBugs(into, { bugs: BUGS, votes: BUGS, users })
    await addLibrary(into, { items: ITEMS, versionsEach: 2, users })
  })
  const { artifacts, close } = await openBlobs(`file:${join(folder, 'blobs')}`)
  for (let index = 0; index < FILES; index++) {
    const bytes = Buffer.alloc(FILE_BYTES, `file ${index} `)
    const staged = await artifacts.stage(Readable.from([bytes]), { maxBytes: FILE_BYTES })
    await artifacts.commit(staged)
    await artifacts.discard(staged)
  }
  close()
}

const range = (count: number, of: number) => Array.from({ length: count }, (_, at) => Math.floor((at * of) / count))

/** What is asked before and after: lists, their later pages, single things and searches. */
const paths = [
  ...['/feed', '/feed?sort=popular', '/bugs', '/bugs?status=open&sort=popular', '/bugs?q=midnight'].flatMap((path) =>
    [1, 2, 50].map((page) => `/api/community${path}${path.includes('?') ? '&' : '?'}page=${page}`),
  ),
  ...range(40, BUGS).map((index) => `/api/community/bugs/${bugId(index)}`),
  ...['', '?sort=popular', '?tag=common', '?q=quarterly'].map((query) => `/api/library/items${query}`),
  ...range(40, ITEMS).map((index) => `/api/library/items/${kindOf(index)}/${slugOfItem(index)}`),
]

/** Runs `work` with a server on these settings. */
async function serving<Result>(
  settings: Record<string, string>,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const own = { BASE_URL: `http://127.0.0.1:${PORT}`, METRICS_TOKEN: 'a-token-of-the-operator' }
  const env = { ...settings, ...own, RATE_LIMITS: 'off', NODE_ENV: '' }
  const server = await startServer(['src/main.ts'], PORT, '/readyz', env)
  const result = await work(server.url)
  await server.stop()
  return result
}

/** For a member. */
async function answersOf(url: string): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  for (const path of paths) {
    const answer = await fetch(url + path, { headers: { cookie } })
    answers.set(path, `${answer.status} ${await answer.text()}`)
  }
  return answers
}

/** The bucket is in this process, which must not wait for the attack without answering. */
async function attack(url: string): Promise<void> {
  const program = spawn(process.execPath, ['attack/main.ts', '--url', url, '--new-accounts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = await Promise.all([text(program.stdout), once(program, 'close')])
  if (program.exitCode !== 0) throw new Error(`The front door gave way:\n${said}`)
  console.log(`  ${said.trim().split('\n').at(-1)}`)
}

interface Ran {
  seconds: number
  megabytes: number
  result: { rows: number; files: { files: number; bytes: number } }
}

/** A command of the operator, with the most memory that it had. */
async function admin(args: string[], settings: Record<string, string>): Promise<Ran> {
  const began = performance.now()
  const env = { ...process.env, ...settings }
  const child = spawn(process.execPath, ['src/admin.ts', ...args, '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let [said, megabytes] = ['', 0]
  child.stdout.on('data', (chunk) => (said += chunk))
  const watching = setInterval(() => {
    try {
      megabytes = Math.max(megabytes, peakMegabytes(child.pid!))
    } catch {
      // It ended just now.
    }
  }, 100)
  const [code] = await once(child, 'close')
  clearInterval(watching)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${said}`)
  return { seconds: (performance.now() - began) / 1000, megabytes, result: JSON.parse(said) }
}

if (engine !== 'postgres') {
  console.log('  moves to PostgreSQL: add --engine postgres')
  process.exit()
}

const bucket = await openObjectStorage()
await inPlaces(async (make) => {
  const [from, to] = [await make('move-from', 'sqlite'), await make('move-to', 'postgres')]
  await fillPlace(from)
  const blobs = bucket.url(join(to.folder, 'staging'))
  const after = { ...to.environment, BLOB_URL: blobs, DATA_DIR: from.folder }
  const move = (...step: string[]) => admin(['move', '--database', to.url, '--blobs', blobs, ...step], from.environment)
  const first = await move()
  figure(`move of ${THINGS} things, while the server may run`, first.seconds, 's')
  figure(`  rows (${first.result.rows}) and files, a second`, first.result.rows / first.seconds, '1/s')
  figure('  the most memory', first.megabytes, 'MB')
  // The attack writes what the last step takes along.
  const before = await serving(from.environment, async (url) => {
    await attack(url)
    return answersOf(url)
  })
  const last = await move('--finish')
  figure(`the last step, with ${last.result.rows} changed rows`, last.seconds, 's', { atMost: 10 })
  figure('  the most memory', last.megabytes, 'MB')
  const moved = await serving(after, async (url) => {
    const answers = await answersOf(url)
    await attack(url)
    return answers
  })
  const other = paths.filter((path) => moved.get(path) !== before.get(path))
  for (const path of other)
    console.log(`${path}\n  ${before.get(path)?.slice(0, 300)}\n  ${moved.get(path)?.slice(0, 300)}`)
  figure(`of ${paths.length} answers, those that differ afterwards`, other.length, '', { atMost: 0 })
}).finally(() => bucket.close())
