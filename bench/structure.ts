// How the house is built, in figures: what one warm request passes (precise coverage of V8), what is loaded at a start, and loops and timers
// as the source has them.
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { World } from '../test/world.ts'
import { figure } from './parts/figures.ts'

const src = new URL('../src/', import.meta.url).href

const session = new Session()
session.connect()
// What a start imports, in its order: counted before the tests' own modules are loaded.
await import('../src/start/serve.ts')
await import('../src/start/open-dependencies.ts')
await Promise.all([
  import('../src/app.ts'),
  import('../src/identity/roles.ts'),
  import('../src/surfaces/http/listen.ts'),
])
await import('../src/surfaces/site/open.ts')
const atStart = await loaded()
const { sqliteDatabase } = await import('../test/databases.ts')
const { makeWorld } = await import('../test/world.ts')
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

/** How many modules of src there are now: the debugger names every script when it is turned on. */
async function loaded(): Promise<number> {
  const urls = new Set<string>()
  const note = ({ params }: { params: { url: string } }) => urls.add(params.url)
  session.on('Debugger.scriptParsed', note)
  await session.post('Debugger.enable')
  session.off('Debugger.scriptParsed', note)
  await session.post('Debugger.disable')
  return [...urls].filter((url) => url.startsWith(src)).length
}

interface Passed {
  files: number
  rooms: number
  /** How often the gate of HTTP was passed. */
  requests: number
}

/** What of src ran since the last time that this was asked. */
async function passed(): Promise<Passed> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const ran = result.filter(
    ({ url, functions }) =>
      url.startsWith(src) &&
      functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
  )
  const paths = ran.map(({ url }) => url.slice(src.length))
  const gate = result.find(({ url }) => url === `${src}surfaces/http/gate.ts`)
  const refuse = gate?.functions.find(({ functionName }) => functionName === 'refuseRequest')
  return {
    files: paths.length,
    rooms: new Set(paths.map((path) => (path.includes('/') ? path.split('/')[0] : '.'))).size,
    requests: refuse?.ranges[0]?.count ?? 0,
  }
}

/** What one warm call passes. */
async function warm(call: () => Promise<unknown>): Promise<Passed> {
  for (let n = 0; n < 3; n++) await call()
  await passed()
  await call()
  return passed()
}

const rows = (what: string, { files, rooms }: Passed, most: { files: number; rooms: number }) => {
  figure(`files that ${what} passes`, files, '', { atMost: most.files })
  figure(`rooms that ${what} passes`, rooms, '', { atMost: most.rooms })
}

async function measureRequests({ alice, admin }: World): Promise<void> {
  const { id } = await alice.bugs.create({ title: 'Crash', description: 'On start', severity: 'low' })
  const severities = ['low', 'medium', 'high', 'critical'] as const
  let n = 0
  rows('a PATCH of a bug', await warm(() => admin.bugs.triage({ id, severity: severities[n++ % 4]! })), {
    files: 45,
    rooms: 10,
  })
  const publish = () => {
    n++
    const definition = {
      id: `wf-${n}`,
      name: `Digest ${n}`,
      description: 'Mails',
      version: 1,
      nodes: [],
      connections: [],
    }
    const file = new File([JSON.stringify(definition)], 'digest.json', { type: 'application/json' })
    return alice.library.publish({ kind: 'workflow', file, visibility: 'private' })
  }
  rows('a publication', await warm(publish), { files: 95, rooms: 16 })
  const page = (path: string) => () => alice.request(path)
  // From the address by its id a reader is led to the one by its number, which is a second request.
  const moved = await alice.request(`/community/bugs/${id}`, { redirect: 'manual' })
  for (const path of ['/', moved.headers.get('location') ?? `/community/bugs/${id}`]) {
    const { requests } = await warm(page(path))
    figure(
      `HTTP requests within the page ${path.startsWith('/community') ? 'of a bug' : 'of the home'}`,
      requests - 1,
      '',
      { atMost: 0 },
    )
  }
}

/** Timers that look at connections, memory and the time of this process, while there is something to look at. */
const ofConnections = new Set(
  [
    'database/heartbeat',
    'database/replica',
    'database/replicas',
    'runtime/memory',
    'content/notifications/streams',
    'surfaces/http/body',
    'surfaces/http/listen',
    'surfaces/http/overload',
    'surfaces/mcp/stream-turns',
    'budgets/uploads',
  ].map((name) => `src/${name}.ts`),
)

function measureSource(): void {
  const files = globSync('src/**/*.ts', { cwd: new URL('..', import.meta.url) }).filter(
    (path) => !path.endsWith('.test.ts'),
  )
  const texts = files.map((path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))
  const count = (pattern: RegExp) => texts.reduce((sum, text) => sum + [...text.matchAll(pattern)].length, 0)
  figure(
    'lines of src',
    texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0),
    '',
    { atMost: 62_000 },
  )
  figure('files of src', files.length, '', { atMost: 620 })
  const timers = files.filter((path, n) => /\bsetInterval\(/.test(texts[n]!) && !ofConnections.has(path))
  figure('timers of work in the background', timers.length, '', { atMost: 1 })
  figure('loops that are one at a time', count(/\balone\(/g), '', { atMost: 1 })
}

const folder = await mkdtemp(join(tmpdir(), 'guildhall-structure-'))
const database = await sqliteDatabase()
try {
  figure('modules of src at a start', atStart, '', { atMost: 520 })
  const world = await makeWorld(database, {
    BLOB_URL: `file:${folder}`,
    NODE_ENV: 'production',
    BASE_URL: 'http://localhost:3000',
  })
  await measureRequests(world)
  await session.post('Profiler.stopPreciseCoverage')
  measureSource()
} finally {
  await database.remove()
  await rm(folder, { recursive: true })
}
