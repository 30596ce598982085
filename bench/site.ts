// What a page of the site costs the server, and what it makes a browser fetch: on 200,000 feed entries.
import { gzipSync } from 'node:zlib'
import { residentMegabytes } from './parts/cpu.ts'
import { type Both, figure, figures } from './parts/figures.ts'
import { cookie } from './parts/fill-accounts.ts'
import { bugId, fill } from './parts/fill-bugs.ts'
import { addressIn, load, type RunningServer, startBare, startServer } from './parts/load.ts'
import { rowsOr } from './parts/options.ts'
import { inPlaces } from './parts/places.ts'
import { against, inMilliseconds } from './parts/slices.ts'

const PORT = 4151
const ROUNDS = 3
const pages = { 'the feed': '/community', 'the first page': '/', 'a bug': `/community/bugs/${bugId(7)}` }
/** In ms of CPU. */
const PAGE = { sqlite: { atMost: 1.2 } }

const get = (server: RunningServer, path: string, headers: Record<string, string> = {}) =>
  load(server, { connections: 8, requests: [{ path, headers }], seconds: 3 })

/** Bytes of what a page links to, packed, by the ends of their names. */
async function fetched({ url }: RunningServer, path: string): Promise<{ script: number; style: number }> {
  const page = await (await fetch(url + path)).text()
  const files = new Set([...page.matchAll(/"(\/_app\/[^"]+\.(?:js|css))"/g)].map((match) => match[1]!))
  const sizes = { script: 0, style: 0 }
  for (const file of files) {
    const bytes = gzipSync(await (await fetch(url + file)).bytes()).byteLength
    sizes[file.endsWith('.js') ? 'script' : 'style'] += bytes
  }
  return sizes
}

async function measure(server: RunningServer, [name, given]: [string, string], folder: string): Promise<void> {
  const path = await addressIn(server, given)
  const bare = await startBare(server, path, { port: PORT + 1, folder })
  const taken: Record<'bare' | 'member' | 'anonymous', Both[]> = { bare: [], member: [], anonymous: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    const [limit, member] = [await get(bare, path), await get(server, path, { cookie })]
    const anonymous = await get(server, path)
    if (round === 0) continue
    taken.bare.push(limit.cost)
    taken.member.push(member.cost)
    taken.anonymous.push(anonymous.cost)
  }
  await bare.stop()
  figures(`${name}, for a member`, inMilliseconds(taken.member), 'ms of CPU', PAGE)
  figures(`${name}, for an anonymous user`, inMilliseconds(taken.anonymous), 'ms of CPU', PAGE)
  const limits = path === '/' ? { postgres: { atLeast: 0.1 } } : {}
  figures(`${name}, anonymous, against a bare server`, against(taken.bare, taken.anonymous), 'x', limits)
  const { script, style } = await fetched(server, path)
  figure(`${name}: script, packed`, script / 1000, 'KB', { atMost: 45 })
  figure(`${name}: style, packed`, style / 1000, 'KB', { atMost: 12 })
}

await inPlaces(async (make) => {
  const { url, folder, environment } = await make('site')
  await fill(url, { bugs: rowsOr(200_000), votes: 0, users: 2_000 })
  const settings = { ...environment, BASE_URL: `http://127.0.0.1:${PORT}` }
  const server = await startServer(['src/main.ts'], PORT, '/readyz', settings)
  for (const page of Object.entries(pages)) await measure(server, page, folder)
  figure('resident after that', residentMegabytes(server.pid), 'MB')
  await server.stop()
})
