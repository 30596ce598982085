// Installing an item of 5 MB with the command line, as it is published, against `curl` and `sha256sum`, in turns: on this machine, and over
// a line of 100 Mbit/s. Each ratio is given with the start of Node and without it, by what a Node that does nothing takes in the same round.
// The goal is for the line. On one machine curl ends about when Node has started (some 35 ms each), so no program on Node can reach it there.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { automationOf, upload } from './parts/artifact.ts'
import { figure } from './parts/figures.ts'
import { addAccounts, cookie } from './parts/fill-accounts.ts'
import { fillDatabase } from './parts/filling.ts'
import { startServer } from './parts/load.ts'
import { median } from './parts/median.ts'
import { inPlaces } from './parts/places.ts'

const CLI = resolve(import.meta.dirname, '../cli')
const PROGRAM = join(CLI, 'dist/guildhall.js')
const BYTES = 5_000_000
const ROUNDS = 41
const [PORT, LINE_PORT] = [4207, 4208]
const GOAL = 0.8

/** How long a command runs, in ms. */
function runFor([name = '', ...words]: readonly string[], environment: Record<string, string> = {}): number {
  const env = { PATH: process.env['PATH'], ...environment }
  const startedAt = performance.now()
  const { status, stderr } = spawnSync(name, words, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${name} ${words.join(' ')} ended with ${status}: ${stderr}`)
  return performance.now() - startedAt
}

interface Item {
  name: string
  version: string
  sha256: string
}

/** Both ways in turns, each into a folder of its own. */
function compare(
  { where, url, folder, goal }: { where: string; url: string; folder: string; goal?: { atLeast: number } },
  { name, version, sha256 }: Item,
): void {
  const times = { curl: [] as number[], install: [] as number[], node: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    const to = mkdtempSync(join(folder, 'install-'))
    const file = join(to, 'file')
    const script = `curl -fsS -o '${file}' '${url}/api/library/${name}/${version}/file' && echo '${sha256}  ${file}' | sha256sum --check --quiet`
    const environment = { HOME: to, GUILDHALL_HOME: join(to, 'items'), GUILDHALL_URL: url, GUILDHALL_KEYRING: 'off' }
    const curl = runFor(['sh', '-c', script])
    const install = runFor([process.execPath, PROGRAM, 'install', name], environment)
    const node = runFor([process.execPath, '-e', '0'])
    rmSync(to, { recursive: true })
    // The first round compiles and fills caches.
    if (round === 0) continue
    times.curl.push(curl)
    times.install.push(install)
    times.node.push(node)
  }
  const ratios = times.curl.map((curl, n) => curl / times.install[n]!)
  const withoutStart = times.curl.map((curl, n) => curl / (times.install[n]! - times.node[n]!))
  figure(`${where}: curl and sha256sum`, median(times.curl), 'ms')
  figure(`${where}: guildhall install`, median(times.install), 'ms')
  figure(`${where}: node -e 0`, median(times.node), 'ms')
  figure(`${where}: install, by the speed of curl and sha256sum`, median(ratios), 'x', goal)
  figure(`${where}: the same without the start of Node`, median(withoutStart), 'x', goal)
}

execFileSync(process.execPath, [join(CLI, 'build.js')], { stdio: 'inherit' })
await inPlaces(async (make) => {
  const { url, environment, folder } = await make('install')
  await fillDatabase(url, (into) => addAccounts(into, 64))
  const settings = { ...environment, LOG_LEVEL: 'warn', RATE_LIMITS: 'off' }
  const server = await startServer(['src/main.ts'], PORT, '/healthz', settings)
  const published = JSON.parse(await upload(server, automationOf(BYTES, 1))) as { id: string; slug: string } & Item
  const headers = { cookie, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ visibility: 'public' })
  const made = await fetch(`${server.url}/api/library/items/${published.id}`, { method: 'PATCH', headers, body })
  if (!made.ok) throw new Error(`${made.status}: ${await made.text()}`)
  const item = { ...published, name: `automation/${published.slug}` }
  compare({ where: 'on one machine', url: server.url, folder }, item)
  const path = `/api/library/${item.name}/${item.version}/file`
  const line = await startServer(['bench/parts/slow-line.ts', String(LINE_PORT), String(PORT)], LINE_PORT, path)
  compare({ where: 'over 100 Mbit/s', url: line.url, folder, goal: { atLeast: GOAL } }, item)
  await line.stop()
  await server.stop()
})
