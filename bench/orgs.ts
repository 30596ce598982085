// What the gallery costs at 20,000 orgs, signed in, in milliseconds of CPU a request; and how long uploads of pictures, runs
// and definitions hold up everybody else. `node bench/orgs.ts`; fails over a limit.
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { api } from '../src/api.ts'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { openDependencies } from '../src/start/open-dependencies.ts'
import { type Client, connect } from '../src/surfaces/client.ts'
import { type Both, figure, figures, type Limits } from './parts/figures.ts'
import { userId } from './parts/fill-accounts.ts'
import { fillGallery, orgId, runId } from './parts/fill-orgs.ts'
import { rowsOr } from './parts/options.ts'
import { inPlaces, type Place } from './parts/places.ts'
import { cpuOfEach } from './parts/slices.ts'

const BASE_URL = 'http://localhost:3000'
const ORGS = rowsOr(20_000)
const [ROUNDS, REQUESTS] = [5, 100]
const READ_LIMIT = 1.5
/** As in bench/community.ts: a search goes through up to 500 matches, and most texts have these words. */
const SEARCH_LIMIT = 8
const STOP_LIMIT = 50

type Guildhall = Client<typeof api>
type Send = (path: string) => Promise<Response>

/** Milliseconds of CPU, of all threads, that a request takes. */
async function cpuOf(send: Send, path: string): Promise<Both> {
  const get = async () => {
    const answer = await send(path)
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
  }
  await cpuOfEach(REQUESTS, get)
  return cpuOfEach(ROUNDS * REQUESTS, get)
}

/** The longest stop of the event loop while `work` runs: the least of several, because a busy machine stops anybody now and then. */
async function longestStop(work: () => Promise<unknown>): Promise<number> {
  const longest = []
  for (let round = 0; round < ROUNDS; round++) {
    let [stop, last] = [0, performance.now()]
    const beat = setInterval(() => {
      stop = Math.max(stop, performance.now() - last)
      last = performance.now()
    }, 1)
    await work()
    clearInterval(beat)
    longest.push(stop)
  }
  return Math.min(...longest)
}

async function reads(send: Send, guildhall: Guildhall, orgJson: string): Promise<void> {
  const newest = orgId(ORGS - 1)
  const typical = await guildhall.orgs.create({ orgJson })
  const role = JSON.parse(orgJson).roles[0]
  const roles = Array.from({ length: 60 }, (_, index) => ({ ...role, id: `role-${index}` }))
  const large = await guildhall.orgs.create({ orgJson: JSON.stringify({ ...JSON.parse(orgJson), roles }) })
  const files = [new File(['# A report\n'.repeat(500)], 'report.md')]
  const run = await guildhall.orgRuns.add({ id: typical.id, files })
  const image = await picture(200, 'png')
  const { url } = await guildhall.orgImages.add({ id: typical.id, image })
  const { avatarKey } = await guildhall.avatars.set({ avatar: image })
  const lists = [
    '',
    '?sort=popular',
    '?page=500',
    '?sort=popular&page=999',
    '?page=700&sort=popular',
    `?authorId=${userId(3)}`,
  ]
  const searches = ['?q=invoices', '?q=org-19', '?q=de', '?q=nothing-has-this']
  const paths = [
    ...[...lists, ...searches].map((query) => `/community/orgs${query}`),
    `/community/orgs/${typical.id}`,
    `/community/orgs/${typical.slug}`,
    `/community/orgs/${large.id}`,
    `/community/orgs/${typical.id}/definition`,
    `/community/orgs/${newest}/comments?page=250`,
    `/community/orgs/${newest}/runs`,
    `/community/orgs/${newest}/runs?page=200`,
    `/community/orgs/${newest}/runs/${runId(77)}`,
    `/community/org-run-files/${run.files[0]!.id}`,
    url.slice('/api'.length),
    `/images/avatar/${avatarKey}`,
  ]
  for (const path of paths) {
    const name = path.replaceAll(/[0-9a-f-]{36}/g, '<id>').replace('/community', '')
    const limits: Limits = { sqlite: { atMost: path.includes('?q=') ? SEARCH_LIMIT : READ_LIMIT } }
    figures(name + (path.includes(large.id) ? ' (60 roles)' : ''), await cpuOf(send, path), 'ms CPU', limits)
  }
  figures('/orgs?per_page=100', await cpuOf(send, '/community/orgs?per_page=100'), 'ms CPU')
}

async function picture(width: number, format: 'png' | 'jpeg'): Promise<Blob> {
  const noise = { type: 'gaussian', mean: 128, sigma: 4 } as const
  const made = sharp({ create: { width, height: width, channels: 3, background: '#888', noise } })
  return new Blob([new Uint8Array(await made.toFormat(format, { quality: 10 }).toBuffer())])
}

async function stops(send: Send, guildhall: Guildhall, orgJson: string): Promise<void> {
  const { id } = await guildhall.orgs.create({ orgJson })
  const image = await picture(5_000, 'jpeg')
  const stop = await longestStop(() => guildhall.orgImages.add({ id, image }))
  figure(`longest stop: an image of 25 megapixels (${image.size} bytes)`, stop, 'ms', { atMost: STOP_LIMIT })
  const files = Array.from({ length: 10 }, (_, index) => new File(['é'.repeat(1_000_000)], `${index}.md`))
  figure(
    'longest stop: a run of 10 files of 2 MB',
    await longestStop(() => guildhall.orgRuns.add({ id, files })),
    'ms',
    {
      atMost: STOP_LIMIT,
    },
  )
  const role = { title: 'Role', responsibilities: ['one', 'two'], policy: { git: 'read', allowTools: ['Read'] } }
  const roles = Array.from({ length: 3_900 }, (_, index) => ({ id: `role-${index}`, ...role }))
  const largest = JSON.stringify({ name: 'Large', roles })
  figure(
    `longest stop: a definition of ${largest.length} bytes`,
    await longestStop(() => guildhall.orgs.create({ orgJson: largest })),
    'ms',
  )
  const { items } = await guildhall.orgs.list({ per_page: 1 })
  figures('an org of so many roles', await cpuOf(send, `/community/orgs/${items[0]!.id}`), 'ms CPU')
}

async function main({ url, environment }: Place): Promise<void> {
  const orgJson = await readFile(new URL('../test/fixtures/org-invoice-desk.json', import.meta.url), 'utf8')
  await fillGallery(url, { orgs: ORGS, authors: 500, runs: 10_000, comments: 10_000, orgJson })
  const dependencies = await openDependencies(readConfig({ ...environment, RATE_LIMITS: 'off', LOG_LEVEL: 'error' }))
  const app = createApp(dependencies)
  let cookie = ''
  const send = async (request: Request) => {
    if (cookie) request.headers.set('Cookie', cookie)
    return app.fetch(request)
  }
  const joined = await send(
    new Request(`${BASE_URL}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Reader', email: 'reader@example.com', password: 'a password for reading' }),
    }),
  )
  cookie = joined.headers.get('set-cookie')!.split(';')[0]!
  const guildhall = connect(api, { baseUrl: BASE_URL, fetch: send })
  await reads((path) => send(new Request(`${BASE_URL}/api${path}`)), guildhall, orgJson)
  await stops((path) => send(new Request(`${BASE_URL}/api${path}`)), guildhall, orgJson)
  await dependencies.close()
}

await inPlaces(async (make) => main(await make('orgs')))
