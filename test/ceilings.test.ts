// No network takes more than a tenth of what all have together: every ceiling that is declared, through its own door.
import assert from 'node:assert/strict'
import { declaredCeilings } from '../src/budgets/budgets.ts'
import '../src/community/widget/handlers.ts'
import { defaultBudgets } from '../src/budgets/rules.ts'
import { AGENT } from './oauth.ts'
import { visit } from './visitor.ts'
import { onEveryEngine, type World } from './world.ts'

const HOUR = 3600
const NETWORK = '203.0.113'

type Call = () => Promise<number>

interface Door {
  /** The key of the counter of a network. */
  counter(network: string): string
  all: number
  /** Prepares a call from an address, which gives the status of its answer. */
  prepare(world: World, address: string): Call | Promise<Call>
}

async function post(
  { app, dependencies }: World,
  address: string,
  { path, body, type = 'application/x-www-form-urlencoded' }: { path: string; body: string; type?: string },
): Promise<number> {
  const init = { method: 'POST', headers: { 'Content-Type': type }, body }
  return (await app.fetch(new Request(`${dependencies.config.baseUrl}${path}`, init), { address })).status
}

let people = 0

const ofBudget = (name: 'mails' | 'registrations', prepare: Door['prepare']): [string, Door] => [
  name,
  { counter: (network) => `${name}:network:${network}:${HOUR}`, all: defaultBudgets[name].all[0]!.count, prepare },
]

const calls: Record<string, Door['prepare']> = {
  device: (world, address) => {
    const body = new URLSearchParams({ client_id: AGENT, scope: 'library:read' }).toString()
    return () => post(world, address, { path: '/api/auth/oauth2/device_authorization', body })
  },
  push: (world, address) => () => post(world, address, { path: '/api/auth/oauth2/par', body: 'client_id=unknown' }),
  'device codes': async (world, address) => {
    const { baseUrl } = world.dependencies.config
    const visitor = await visit(world, `person-${people++}`, { address })
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: baseUrl }
    const request = new Request(`${baseUrl}/oauth/device`, { method: 'POST', headers, body: 'user_code=BBBB-BBBB' })
    return async () => (await visitor.send(request)).status
  },
  'widget reports': (world, address) => () => {
    const body = new URLSearchParams({ title: 'T', description: 'D', severity: 'low' }).toString()
    return post(world, address, { path: '/api/community/widget/reports', body })
  },
}

const doors = (): [string, Door][] => [
  ...declaredCeilings().map(({ key, all }): [string, Door] => {
    const prepare = calls[key]
    assert.ok(prepare, `the ceiling ${key} has no door in this test`)
    return [key, { counter: (network) => `${key} network ${network}`, all: all.tries, prepare }]
  }),
  ofBudget('mails', (world, address) => {
    const body = JSON.stringify({ email: `person-${people++}@example.com` })
    return () => post(world, address, { path: '/api/auth/sign-in/code', body, type: 'application/json' })
  }),
  ofBudget('registrations', (world, address) => {
    const body = JSON.stringify({ redirect_uris: ['https://client.example/cb'], token_endpoint_auth_method: 'none' })
    return () => post(world, address, { path: '/api/auth/oauth2/register', body, type: 'application/json' })
  }),
]

onEveryEngine(
  'of a ceiling of the whole',
  (it) => {
    it('a network takes a tenth and no more, also in ten races, and leaves the rest to others', async (world) => {
      for (const [name, { counter, all, prepare }] of doors()) {
        const from = (address: string) => prepare(world, address)
        const set = async (count: number) => {
          const row = world.db.updateTable('rateLimit').set({ count }).where('key', '=', counter(NETWORK))
          assert.equal((await row.executeTakeFirst()).numUpdatedRows, 1n, `${name} has no counter of a network`)
        }
        assert.notEqual(await (await from(`${NETWORK}.1`))(), 429, name)
        for (let round = 0; round < 10; round++) {
          await set(all / 10 - 1)
          const two = [await from(`${NETWORK}.${10 + round}`), await from(`${NETWORK}.${100 + round}`)]
          const statuses = await Promise.all(two.map((ask) => ask()))
          assert.equal(statuses.filter((status) => status === 429).length, 1, `${name}: ${statuses}`)
        }
        assert.notEqual(await (await from('203.0.114.1'))(), 429, name)
      }
    })
  },
  {
    RATE_LIMITS: 'on',
    WIDGET_SITES: 'https://app.example',
    BUDGETS: 'mails: off, off, 2000/hour; registrations: off, 5000/hour; signups: off, off, off',
  },
)
