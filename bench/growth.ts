// What a page costs with 1,000,000 entries in the database, against one with a hundredth of them.

import { type Both, figures, type Limits } from './parts/figures.ts'
import { cookie } from './parts/fill-accounts.ts'
import { bugId, fill } from './parts/fill-bugs.ts'
import { load, startServer } from './parts/load.ts'
import { rowsOr } from './parts/options.ts'
import { inPlaces } from './parts/places.ts'
import { cheapest } from './parts/slices.ts'

const ROUNDS = 3
const LARGE = rowsOr(1_000_000)
const SMALL = LARGE / 100
const COMMUNITY = '/api/community'
const KEPT: Limits = { atMost: 1.3 }

/** Anonymous pages cost no more with any number of entries when they are kept, so members ask. */
const pages: Record<string, [path: string, limits: Limits]> = {
  'feed page': ['/feed', KEPT],
  'feed page, by votes': ['/feed?sort=popular', { postgres: { atMost: 1.3 } }],
  'list of bugs': ['/bugs', { postgres: { atMost: 1.3 } }],
  'list of open bugs, by votes': ['/bugs?status=open&sort=popular', { postgres: { atMost: 1.3 } }],
  'a bug': [`/bugs/${bugId(7)}`, { postgres: { atMost: 1.3 } }],
}

await inPlaces(async (make) => {
  const servers = []
  for (const [index, bugs] of [SMALL, LARGE].entries()) {
    const { url, environment } = await make(`growth-${bugs}`)
    await fill(url, { bugs, votes: 0, users: 2_000 })
    servers.push(await startServer(['src/main.ts'], 4103 + index, '/healthz', environment))
  }
  const [small, large] = servers as [(typeof servers)[number], (typeof servers)[number]]
  for (const [name, [path, limits]] of Object.entries(pages)) {
    const taken: Record<'small' | 'large', Both[]> = { small: [], large: [] }
    for (let round = 0; round < ROUNDS; round++) {
      const requests = [{ path: `${COMMUNITY}${path}`, headers: { cookie } }]
      taken.small.push((await load(small, { connections: 16, requests, seconds: 3 })).cost)
      taken.large.push((await load(large, { connections: 16, requests, seconds: 3 })).cost)
    }
    const [before, after] = [cheapest(taken.small), cheapest(taken.large)]
    const ratio = { server: after.server / before.server, all: after.all / before.all }
    figures(`${name} at ${LARGE} entries, against ${SMALL}`, ratio, 'x the cost', limits)
  }
  for (const server of servers) await server.stop()
})
