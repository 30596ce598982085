// What a page of the site costs the server, and what it makes a browser fetch: on 200,000 feed entries.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { figure, median } from './figures.ts'
import { bugId, fill, SESSION_TOKEN } from './fill.ts'
import { load, type RunningServer, residentMegabytes, startServer } from './load.ts'

const PORT = 4161
const ROUNDS = 3
const cookie = `guildhall_session=${SESSION_TOKEN}`
const pages = { 'the feed': '/community', 'the first page': '/', 'a bug': `/community/bugs/${bugId(7)}` }

async function milliseconds(server: RunningServer, path: string, headers: Record<string, string>): Promise<number> {
  const taken: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const { perCpuSecond } = await load(server, { connections: 8, requests: [{ path, headers }], seconds: 3 })
    if (round > 0) taken.push(1000 / perCpuSecond)
  }
  return median(taken)
}

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

const folder = mkdtempSync(join(process.cwd(), 'bench-data-'))
try {
  mkdirSync(folder, { recursive: true })
  await fill(join(folder, 'guildhall.db'), { bugs: 200_000, votes: 0, users: 2_000 })
  const environment = { DATA_DIR: folder, NODE_ENV: '', BASE_URL: `http://127.0.0.1:${PORT}` }
  const server = await startServer(['src/main.ts'], PORT, '/readyz', environment)
  for (const [name, path] of Object.entries(pages)) {
    figure(`${name}, for a member`, await milliseconds(server, path, { cookie }), 'ms of CPU', { atMost: 1.2 })
    figure(`${name}, for an anonymous user`, await milliseconds(server, path, {}), 'ms of CPU', { atMost: 1.2 })
    const { script, style } = await fetched(server, path)
    figure(`${name}: script, packed`, script / 1000, 'KB', { atMost: 45 })
    figure(`${name}: style, packed`, style / 1000, 'KB', { atMost: 12 })
  }
  figure('resident after that', residentMegabytes(server.pid), 'MB')
  await server.stop()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
