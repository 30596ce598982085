// What reading the community costs at 100,000 bugs and posts and a million comments, signed in, in milliseconds of CPU a
// request; and that blocking somebody costs the same whatever they wrote. `node bench/community.ts [part of a path]`; fails
// over a limit. With DATA_DIR set the database stays there for the next run.
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp, type Guildhall } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import type { Db } from '../src/database/schema.ts'
import { grantRole } from '../src/identity/roles.ts'
import { type OpenDependencies, openDependencies } from '../src/start/open-dependencies.ts'
import { type Filled, fill, size } from './community-fill.ts'
import { figure, median } from './figures.ts'

const BASE_URL = 'http://localhost:3000'
const ROUND = 80
const WARM_UP = 400

interface Reader {
  id: string
  cookie: string
}

async function signUp(app: Guildhall, email: string): Promise<Reader> {
  const body = JSON.stringify({ name: 'Reader', email, password: 'a password for reading' })
  const headers = { 'Content-Type': 'application/json' }
  const answer = await app.fetch(new Request(`${BASE_URL}/api/auth/sign-up/email`, { method: 'POST', headers, body }))
  const { user } = (await answer.json()) as { user: { id: string } }
  return { id: user.id, cookie: answer.headers.get('set-cookie')!.split(';')[0]! }
}

async function send(app: Guildhall, { cookie }: Reader, method: string, path: string, input?: object): Promise<void> {
  const headers = { Cookie: cookie, 'Content-Type': 'application/json' }
  const body = input && JSON.stringify(input)
  const answer = await app.fetch(
    new Request(`${BASE_URL}/api/community${path}`, { method, headers, ...(body && { body }) }),
  )
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  await answer.text()
}

/** Milliseconds of CPU, of all threads, that each of the calls took. */
async function cpuMilliseconds(calls: number, call: (n: number) => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  for (let n = 0; n < calls; n++) await call(n)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / calls
}

/** Any list page and any single read. */
const READ_LIMIT = 1.5
/** A text of common parts that is itself in one of 90: each thing that has the parts is looked at. */
const PHRASE_LIMIT = 20
/** 500 accounts from the middle of 100,000. */
const FAR_LIMIT = 3
/** An author's bugs are looked at one by one for a status or severity: these are the middle of a third of everything. */
const AUTHOR_LIMIT = 3

function reads({ bugs, features, posts, labels, busyAuthor, quietAuthor, busyBug }: Filled): [string, number][] {
  const sizes = { bugs: bugs.length, posts: posts.length, features: features.length }
  const everyKind = (['bugs', 'posts', 'features'] as const).flatMap((kind): [string, number][] => [
    [`/${kind}`, READ_LIMIT],
    [`/${kind}?sort=popular`, READ_LIMIT],
    [`/${kind}?per_page=100`, READ_LIMIT],
    [`/${kind}?sort=popular&page=${Math.floor(sizes[kind] / 20) - 1}`, READ_LIMIT],
    [`/${kind}?page=500`, READ_LIMIT],
    [`/${kind}?authorId=${busyAuthor}&sort=popular`, READ_LIMIT],
    [`/${kind}?authorId=${quietAuthor}`, READ_LIMIT],
    [`/${kind}?q=zzz`, READ_LIMIT],
    [`/${kind}?q=timeout`, READ_LIMIT],
    [`/${kind}?q=timeout&sort=popular`, READ_LIMIT],
    [`/${kind}?q=cr`, READ_LIMIT],
    [`/${kind}?q=timeout%20cursor`, PHRASE_LIMIT],
    [`/${kind}?page=${Math.floor(sizes[kind] / 40)}`, READ_LIMIT],
    [`/${kind}?page=${Math.floor(sizes[kind] / 40)}&sort=popular`, READ_LIMIT],
    [`/${kind}?authorId=${busyAuthor}&page=${Math.floor(sizes[kind] / 120)}`, READ_LIMIT],
  ])
  const others = [
    `/bugs/${bugs[7]}`,
    `/posts/${posts[7]}`,
    `/features/${features[7]}`,
    `/bugs/${busyBug}/comments`,
    `/bugs/${bugs[7]}/comments`,
    '/bugs?status=resolved&severity=critical',
    '/bugs?status=resolved&severity=critical&sort=popular&page=150',
    `/bugs?status=wontfix&authorId=${busyAuthor}`,
    `/bugs?label=${labels[0]}`,
    `/bugs?label=${labels[0]}&status=open&sort=popular`,
    `/bugs?label=${labels[3]}&severity=critical&page=20`,
    `/bugs?label=${labels[3]}&authorId=${busyAuthor}`,
    '/features?status=planned&sort=popular',
    '/feed',
    '/feed?sort=popular',
    '/labels',
    '/blog',
    '/users/user0',
    '/admin/users?per_page=100',
    '/admin/users?role=moderator&per_page=100',
    '/admin/audit',
    // Far away, from both ends.
    `/bugs/${busyBug}/comments?page=2500`,
    '/bugs?status=open&page=600',
    `/bugs?label=${labels[0]}&page=1250`,
    '/feed?type=bug',
    '/feed?type=post&page=2500&sort=popular',
    `/feed?type=post&authorId=${busyAuthor}&page=800`,
    `/feed?authorId=${busyAuthor}&page=1800`,
    '/feed?page=2500',
    '/feed?page=5500',
    '/feed?page=5500&sort=popular',
    '/feed?page=100000',
    '/users/user0?sort=popular&page=1000',
    '/admin/users',
    '/admin/users?per_page=20&page=2500',
    '/admin/users?per_page=20&page=4990',
    '/admin/users?per_page=20&blocked=false&page=2500',
    '/admin/users?per_page=20&role=member&blocked=false&page=2500',
  ].map((path): [string, number] => [path, READ_LIMIT])
  return [
    ...others,
    ...everyKind,
    ['/admin/users?q=user77&per_page=100', READ_LIMIT],
    // 500 accounts at once.
    ['/admin/users?page=100', FAR_LIMIT],
    [`/bugs?severity=low&status=open&authorId=${busyAuthor}&sort=popular&page=50`, AUTHOR_LIMIT],
  ]
}

async function measure(app: Guildhall, reader: Reader, filled: Filled): Promise<void> {
  const show = (path: string) => path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
  const report = async (name: string, limit: number, call: (n: number) => Promise<void>) => {
    await cpuMilliseconds(WARM_UP, call)
    const rounds = [
      await cpuMilliseconds(ROUND, call),
      await cpuMilliseconds(ROUND, call),
      await cpuMilliseconds(ROUND, call),
    ]
    figure(name, median(rounds), 'ms', { atMost: limit })
  }
  for (const [path, limit] of reads(filled)) {
    if (path.includes(process.argv[2] ?? '')) await report(show(path), limit, () => send(app, reader, 'GET', path))
  }
  for (const [who, id] of [
    ['who wrote nothing', filled.quietAuthor],
    ['who wrote a third of everything', filled.busyAuthor],
  ]) {
    const block = (n: number) => send(app, reader, 'PATCH', `/admin/users/${id}/block`, { blocked: n % 2 === 0 })
    await report(`block and unblock somebody ${who}`, READ_LIMIT, block)
    const role = (n: number) =>
      send(app, reader, 'PATCH', `/admin/users/${id}/role`, { role: n % 2 === 0 ? 'moderator' : 'member' })
    await report(`change the role of somebody ${who}`, READ_LIMIT, role)
  }
}

/** Fills the database, or takes the one that an earlier run left in DATA_DIR. */
async function prepare(
  folder: string,
  app: Guildhall,
  dependencies: OpenDependencies,
): Promise<{ reader: Reader; filled: Filled }> {
  const notes = join(folder, 'filled.json')
  if (existsSync(notes)) return JSON.parse(await readFile(notes, 'utf8'))
  const reader = await signUp(app, 'reader@example.com')
  await grantRole(dependencies, 'reader@example.com', { role: 'admin', now: new Date().toISOString() })
  const started = performance.now()
  const filled = fill(dependencies.config.databaseUrl, reader.id)
  console.log(`Filled in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  await writeFile(notes, JSON.stringify({ reader, filled }))
  return { reader, filled }
}

/** The database without the rows that are kept for the next who asks: each reading is one. */
function unkept(db: Db): Db {
  const executeQuery: Db['executeQuery'] = (query) => db.executeQuery({ ...query, kept: undefined } as never)
  return new Proxy(db, {
    get(target, name) {
      if (name === 'executeQuery') return executeQuery
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const given = process.env['DATA_DIR']
const folder = given ?? (await mkdtemp(join(tmpdir(), 'guildhall-bench-')))
try {
  const settings = { DATA_DIR: folder, BASE_URL, LOG_LEVEL: 'silent', RATE_LIMITS: 'off' }
  const dependencies = await openDependencies(readConfig(settings))
  const app = createApp({ ...dependencies, db: unkept(dependencies.db) })
  const { reader, filled } = await prepare(folder, app, dependencies)
  console.log(`${size.bugs} bugs, ${size.posts} posts, ${size.comments} comments, ${size.users} accounts`)
  await measure(app, reader, filled)
  await dependencies.close()
} finally {
  if (!given) await rm(folder, { recursive: true })
}
