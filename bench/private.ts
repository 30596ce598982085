// What a private instance costs a member: pages and a list of one server that is public and private in turns, by CPU in the same run.
import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Both, figures } from './parts/figures.ts'
import { cookie } from './parts/fill-accounts.ts'
import { bugId, fill } from './parts/fill-bugs.ts'
import { addressIn, load, type RunningServer, startServer } from './parts/load.ts'
import { rowsOr } from './parts/options.ts'
import { inPlaces } from './parts/places.ts'
import { against } from './parts/slices.ts'

const PORT = 4171
const ROUNDS = 6
/** Until every process knows a setting. */
const KNOWN_MILLISECONDS = 1_500
const FEED = '/api/community/feed'
const pathsIn = async (server: RunningServer) => ({
  'a bug': await addressIn(server, `/community/bugs/${bugId(7)}`),
  'the feed': '/community',
  'the REST feed': FEED,
})

type Costs = Record<'public' | 'private', Both[]>

async function setReaders(environment: Record<string, string>, change: readonly string[]): Promise<void> {
  const env = { ...process.env, ...environment }
  const { status, stderr } = spawnSync(process.execPath, ['src/admin.ts', 'settings', ...change], { env })
  if (status !== 0) throw new Error(String(stderr))
  await sleep(KNOWN_MILLISECONDS)
}

const get = (server: RunningServer, path: string) =>
  load(server, { connections: 8, requests: [{ path, headers: { cookie } }], seconds: 3 })

/** Throws unless the server is as it should be: a bench of twice the same would find no difference. */
async function assertReaders({ url }: RunningServer, mode: keyof Costs): Promise<void> {
  const { status } = await fetch(url + FEED)
  if ((status === 401) !== (mode === 'private')) throw new Error(`The feed is ${status} on a ${mode} instance`)
}

await inPlaces(async (make) => {
  const { url, environment } = await make('private')
  await fill(url, { bugs: rowsOr(50_000), votes: 0, users: 2_000 })
  const settings = { ...environment, BASE_URL: `http://127.0.0.1:${PORT}` }
  const server = await startServer(['src/main.ts'], PORT, '/readyz', settings)
  const paths = await pathsIn(server)
  const taken = Object.fromEntries(
    Object.keys(paths).map((name) => [name, { public: [], private: [] } as Costs]),
  ) as Record<keyof typeof paths, Costs>
  for (let round = 0; round <= ROUNDS; round++) {
    // Each goes first as often as the other.
    const modes = round % 2 === 0 ? (['public', 'private'] as const) : (['private', 'public'] as const)
    for (const mode of modes) {
      await setReaders(settings, mode === 'private' ? ['set', 'READERS', 'members'] : ['unset', 'READERS'])
      await assertReaders(server, mode)
      for (const [name, path] of Object.entries(paths)) {
        const { cost } = await get(server, path)
        if (round > 0) taken[name as keyof typeof paths][mode].push(cost)
      }
    }
  }
  for (const [name, costs] of Object.entries(taken))
    figures(
      `${name} for a member: a private instance against a public one`,
      against(costs.private, costs.public),
      'x',
      {
        atMost: 1.05,
      },
    )
  await server.stop()
})
