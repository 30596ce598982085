// Every operation against every wrong caller, derived from the contracts: a new operation is covered by existing.
import assert from 'node:assert/strict'
import { api } from '../src/api.ts'
import { type Contract, isGated, type Operation } from '../src/contract/operation.ts'
import { requestOf } from '../src/surfaces/client/client.ts'
import { BASE_URL, onEveryEngine, type Person, type World } from './world.ts'

const operations = Object.entries(api as Record<string, Contract>).flatMap(([slice, contract]) =>
  Object.entries(contract).map(([verb, operation]) => ({ name: `${slice}.${verb}`, operation })),
)

/** Sends a request whose input is all wrong: whoever is refused must be refused before anybody looks at it. */
async function knock(person: Person, operation: Operation): Promise<{ status: number; body: unknown }> {
  const filled = Object.fromEntries(Object.keys(operation.input.shape).map((name) => [name, 'nothing']))
  const request = requestOf(operation, filled, { baseUrl: BASE_URL })
  const body = operation.upload || request.body === null ? undefined : '{"nothing":'
  const { pathname, search } = new URL(request.url)
  const response = await person.request(pathname + search, {
    method: operation.method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    ...(body !== undefined && { body }),
  })
  return { status: response.status, body: await response.json().catch(() => undefined) }
}

/** A refusal as the operation's area writes it. */
function refusal({ access }: Operation, code: 'blocked' | 'forbidden'): unknown {
  if (access.area.name === 'community')
    return { error: code === 'blocked' && !isGated(access) ? 'Account blocked' : 'Forbidden' }
  return access.area.name === 'library' ? { error: { code } } : { code }
}

function assertRefusal(body: unknown, expected: unknown): void {
  const plain = JSON.parse(JSON.stringify(body, (key, value) => (key === 'message' ? undefined : value)))
  assert.deepEqual(plain, expected)
}

const callers: [
  sentence: string,
  concerns: (operation: Operation) => boolean,
  check: (world: World, operation: Operation) => Promise<void>,
][] = [
  [
    'refuses strangers with 401',
    ({ access }) => access.credential === 'required' || access.credential === 'session',
    async ({ stranger }, operation) => assert.equal((await knock(stranger, operation)).status, 401),
  ],
  [
    'refuses blocked accounts with 403',
    ({ access }) => access.credential === 'required' || access.credential === 'session',
    async ({ blocked }, operation) => {
      const { status, body } = await knock(blocked, operation)
      assert.equal(status, 403)
      assertRefusal(body, refusal(operation, 'blocked'))
    },
  ],
  [
    'refuses members where a role is needed, with 403',
    ({ access }) => access.roles !== undefined && !access.roles.includes('member'),
    async ({ alice }, operation) => {
      const { status, body } = await knock(alice, operation)
      assert.equal(status, 403)
      assertRefusal(body, refusal(operation, 'forbidden'))
    },
  ],
  [
    'refuses moderators where only admins may, with 403',
    ({ access }) => access.roles !== undefined && !access.roles.includes('moderator'),
    async ({ moderator }, operation) => {
      const { status, body } = await knock(moderator, operation)
      assert.equal(status, 403)
      assertRefusal(body, refusal(operation, 'forbidden'))
    },
  ],
  [
    'lets strangers and blocked accounts read what is public',
    ({ access }) => access.credential === 'optional',
    async ({ stranger, blocked }, operation) => {
      for (const person of [stranger, blocked]) {
        const { status } = await knock(person, operation)
        assert.ok(status !== 401 && status !== 403, String(status))
      }
    },
  ],
]

onEveryEngine('access', (it) => {
  for (const [sentence, concerns, check] of callers) {
    it(`${sentence}, at every operation`, async (world) => {
      const concerned = operations.filter(({ operation }) => concerns(operation))
      for (const { name, operation } of concerned) {
        await check(world, operation).catch((error: Error) => assert.fail(`${name}: ${error.message}`))
      }
    })
  }
})
