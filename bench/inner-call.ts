// What a call in process costs over its handler: the CPU of both with the same input, in turns. The handler answers from a cache, so that little
// hides what stands around it.
import { createApp } from '../src/app.ts'
import type { bugs as contract } from '../src/community/bugs/contract.ts'
import { bugsFeature } from '../src/community/bugs/feature.ts'
import { readConfig } from '../src/config/config.ts'
import type { Handlers } from '../src/request/handler.ts'
import { required } from '../src/runtime/untyped.ts'
import { openDependencies } from '../src/start/open-dependencies.ts'
import { figure } from './parts/figures.ts'
import { bugId, fill } from './parts/fill-bugs.ts'
import { inPlaces } from './parts/places.ts'

const CALLS = 2_000
const ROUNDS = 50

async function cpuOf(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  for (let n = 0; n < CALLS; n++) await call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / CALLS
}

/** The dearest of the cheapest fifth: the speed of a shared machine changes within a second. */
const cheapestFifth = (costs: number[]): number =>
  required(costs.toSorted((a, b) => a - b)[Math.floor(costs.length / 5)])

await inPlaces(async (make) => {
  const { url, environment } = await make('inner-call')
  await fill(url, { bugs: 100, votes: 0, users: 10 })
  const baseUrl = 'http://localhost:4182'
  const { close, ...dependencies } = await openDependencies(
    readConfig({ ...environment, BASE_URL: baseUrl, LOG_LEVEL: 'error' }),
  )
  let real: Handlers<typeof contract>['get'] | undefined
  let seen: Parameters<Handlers<typeof contract>['get']> | undefined
  const handlersOf = bugsFeature.handlers
  bugsFeature.handlers = (services) => {
    const { bugs } = handlersOf(services)
    const { get } = bugs
    real = get
    bugs.get = (...given) => {
      seen = given
      return get(...given)
    }
    return { bugs }
  }
  // The site that pages are rendered by is handed the functions that pages call.
  let inner: (() => Promise<unknown>) | undefined
  const app = createApp(dependencies, {
    site: {
      changes: dependencies.changes,
      open: async () => ({
        files: '',
        names: new Set(),
        async respond(_, { platform }) {
          const api = platform.connect(() => {})
          inner = () => api.bugs.get({ id: bugId(0) })
          return new Response('')
        },
      }),
    },
  })
  await app.fetch(new Request(`${baseUrl}/`))
  if (!inner) throw new Error('no page was rendered')
  await inner()
  if (!seen || !real) throw new Error('the handler was not called')
  const [given, get] = [seen, real]
  const [calls, handlers]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    calls.push(await cpuOf(inner))
    handlers.push(await cpuOf(() => get(...given)))
  }
  const [call, handler] = [cheapestFifth(calls), cheapestFifth(handlers)]
  figure('a call in process, CPU', call, 'µs')
  figure('its handler, CPU', handler, 'µs')
  figure('the call, over its handler', call / handler, '', { atMost: 1.5 })
  await close()
})
