// What reading the community costs at 100,000 bugs and posts and a million comments, signed in, in milliseconds of CPU a
// request; and that blocking an account costs the same whatever it wrote. `node bench/community.ts [part of a path]` for some
// paths; fails over a limit.
import { createApp, type Guildhall } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { openDependencies } from '../src/start/open-dependencies.ts'
import { figures, type Limits } from './parts/figures.ts'
import { cookie } from './parts/fill-accounts.ts'
import {
  busyAuthor,
  busyBug,
  discussedPost,
  fillCommunity,
  idOfThing,
  labelId,
  quietAuthor,
  size,
} from './parts/fill-community.ts'
import { words } from './parts/options.ts'
import { inPlaces, type Place } from './parts/places.ts'
import { cpuOfEach } from './parts/slices.ts'
import { uncached } from './parts/uncached.ts'

const BASE_URL = 'http://localhost:3000'
const ROUND = 240
const WARM_UP = 400

async function send(app: Guildhall, method: string, path: string, input?: object): Promise<void> {
  const headers = { Cookie: cookie, 'Content-Type': 'application/json' }
  const body = input && JSON.stringify(input)
  const answer = await app.fetch(
    new Request(`${BASE_URL}/api/community${path}`, { method, headers, ...(body && { body }) }),
  )
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  await answer.text()
}

/** Any list page and any single read, on SQLite: on PostgreSQL some are round trips for the most part. */
const READ_LIMIT = 1.5
/** A text of common parts that is itself in one of 90: each thing that has the parts is looked at. */
const PHRASE_LIMIT = 20
/** A thread of 200 comments, of which a page has at most 100 and their first replies. */
const THREAD_LIMIT = 2
/** 500 accounts from the middle of 100,000. */
const FAR_LIMIT = 3
/** An author's bugs are looked at one by one for a status or severity: these are the middle of a third of everything. */
const AUTHOR_LIMIT = 3

function reads(): [string, number][] {
  const [bug, feature, post] = (['bug', 'feature', 'post'] as const).map((type) => idOfThing(type, 7))
  const everyKind = (['bugs', 'posts', 'features'] as const).flatMap((kind): [string, number][] => [
    [`/${kind}`, READ_LIMIT],
    [`/${kind}?sort=popular`, READ_LIMIT],
    [`/${kind}?per_page=100`, READ_LIMIT],
    [`/${kind}?sort=popular&page=${Math.floor(size[kind] / 20) - 1}`, READ_LIMIT],
    [`/${kind}?page=500`, READ_LIMIT],
    [`/${kind}?authorId=${busyAuthor}&sort=popular`, READ_LIMIT],
    [`/${kind}?authorId=${quietAuthor}`, READ_LIMIT],
    [`/${kind}?q=zzz`, READ_LIMIT],
    [`/${kind}?q=timeout`, READ_LIMIT],
    [`/${kind}?q=timeout&sort=popular`, READ_LIMIT],
    [`/${kind}?q=cr`, READ_LIMIT],
    [`/${kind}?q=timeout%20cursor`, PHRASE_LIMIT],
    [`/${kind}?page=${Math.floor(size[kind] / 40)}`, READ_LIMIT],
    [`/${kind}?page=${Math.floor(size[kind] / 40)}&sort=popular`, READ_LIMIT],
    [`/${kind}?authorId=${busyAuthor}&page=${Math.floor(size[kind] / 120)}`, READ_LIMIT],
  ])
  const others = [
    `/bugs/${bug}`,
    `/posts/${post}`,
    `/features/${feature}`,
    `/bugs/${busyBug}/comments`,
    `/bugs/${bug}/comments`,
    '/bugs?status=resolved&severity=critical',
    '/bugs?status=resolved&severity=critical&sort=popular&page=150',
    `/bugs?status=wontfix&authorId=${busyAuthor}`,
    `/bugs?label=${labelId(0)}`,
    `/bugs?label=${labelId(0)}&status=open&sort=popular`,
    `/bugs?label=${labelId(3)}&severity=critical&page=20`,
    `/bugs?label=${labelId(3)}&authorId=${busyAuthor}`,
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
    `/bugs?label=${labelId(0)}&page=1250`,
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
    [`/posts/${discussedPost}/comments?per_page=100&parentId=none&replies=5`, THREAD_LIMIT],
    [`/posts/${discussedPost}/comments?per_page=100&sort=popular`, THREAD_LIMIT],
    [`/posts/${discussedPost}/comments?per_page=100&sort=newest&page=1`, THREAD_LIMIT],
    // 500 accounts at once.
    ['/admin/users?page=100', FAR_LIMIT],
    [`/bugs?severity=low&status=open&authorId=${busyAuthor}&sort=popular&page=50`, AUTHOR_LIMIT],
  ]
}

async function measure(app: Guildhall): Promise<void> {
  const show = (path: string) => path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
  const report = async (name: string, atMost: number, call: (n: number) => Promise<void>) => {
    await cpuOfEach(WARM_UP, call)
    const limits: Limits = atMost === READ_LIMIT ? { sqlite: { atMost } } : { atMost }
    figures(name, await cpuOfEach(ROUND, call), 'ms of CPU', limits)
  }
  for (const [path, limit] of reads()) {
    if (path.includes(words[0] ?? '')) await report(show(path), limit, () => send(app, 'GET', path))
  }
  for (const [who, id] of [
    ['who wrote nothing', quietAuthor],
    ['who wrote a third of everything', busyAuthor],
  ]) {
    const block = (n: number) => send(app, 'PATCH', `/admin/users/${id}/block`, { blocked: n % 2 === 0 })
    await report(`block and unblock an account ${who}`, READ_LIMIT, block)
    const role = (n: number) =>
      send(app, 'PATCH', `/admin/users/${id}/role`, { role: n % 2 === 0 ? 'moderator' : 'member' })
    await report(`change the role of an account ${who}`, READ_LIMIT, role)
  }
}

async function run({ url, environment }: Place): Promise<void> {
  const started = performance.now()
  await fillCommunity(url)
  console.log(`Filled in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  console.log(`${size.bugs} bugs, ${size.posts} posts, ${size.comments} comments, ${size.users} accounts`)
  const dependencies = await openDependencies(
    readConfig({ ...environment, BASE_URL, LOG_LEVEL: 'silent', RATE_LIMITS: 'off' }),
  )
  await measure(createApp({ ...dependencies, db: uncached(dependencies.db) }))
  await dependencies.close()
}

await inPlaces(async (make) => run(await make('community')))
