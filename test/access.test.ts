// Every operation against every wrong caller, derived from the contracts: a new operation is covered by existing.
import assert from 'node:assert/strict'
import { api } from '../src/api.ts'
import { type Contract, needsRole, type Operation } from '../src/contract/operation.ts'
import { allScopes } from '../src/contract/scopes.ts'
import { requestOf } from '../src/surfaces/client.ts'
import { exchangeRun, gitHub, issuerFor, letRun } from './ci.ts'
import { bearing, tokenHolder } from './oauth.ts'
import { SITE, siteOf } from './widget.ts'
import { BASE_URL, onEveryEngine, type Person, type World } from './world.ts'

const operations = Object.entries(api as Record<string, Contract>).flatMap(([slice, contract]) =>
  Object.entries(contract).map(([verb, operation]) => ({ name: `${slice}.${verb}`, operation })),
)

/** Sends a request with invalid input only: a refusal for access must come before any validation. */
async function knock(
  person: Pick<Person, 'request'>,
  operation: Operation,
): Promise<{ status: number; body: unknown }> {
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
    return { error: code === 'blocked' && !needsRole(access) ? 'Account blocked' : 'Forbidden' }
  return access.area.name === 'library' ? { error: { code } } : { code }
}

function assertRefusal(body: unknown, expected: unknown): void {
  const plain = JSON.parse(JSON.stringify(body, (key, value) => (key === 'message' ? undefined : value)))
  assert.deepEqual(plain, expected)
}

const needsAccount = ({ access }: Operation) => access.credential === 'required' || access.credential === 'session'
const needsScope = ({ access }: Operation) => access.credential === 'required' && access.scope !== undefined
const kinds = [{ jwt: false }, { jwt: true }]

/** What was made once for all operations of a world that need the same. */
const made = new WeakMap<World, Map<string, Promise<Pick<Person, 'request'>>>>()

function once(
  world: World,
  key: string,
  make: () => Promise<Pick<Person, 'request'>>,
): Promise<Pick<Person, 'request'>> {
  const ofWorld = made.get(world) ?? new Map<string, Promise<Pick<Person, 'request'>>>()
  made.set(world, ofWorld)
  const one = ofWorld.get(key) ?? make()
  ofWorld.set(key, one)
  return one
}

/** A caller with a token of these scopes. */
const holderOf = (world: World, person: Person, scope: string, kind: { jwt?: boolean } = {}) =>
  once(world, `${person.email} ${kind.jwt} ${scope}`, () => tokenHolder(world, person, scope, kind))

/** A caller with a JWT of this scope whose account was blocked after it had got it. */
const blockedHolderOf = (world: World, scope: string) =>
  once(world, `blocked ${scope}`, async () => {
    const person = world.person(crypto.randomUUID())
    const holder = await tokenHolder(world, person, scope, { jwt: true })
    const { id } = await person.account()
    await world.admin.admin.block({ id, blocked: true })
    return holder
  })

/** A caller with the token of a run of a CI, which publishes one item. */
const runOf = (world: World) =>
  once(world, 'run', async () => {
    const issuer = await issuerFor(world)
    await letRun(world.alice, issuer, { kind: 'workflow', slug: 'digest' })
    return bearing(world, (await exchangeRun(world, await issuer.token(gitHub()), 'workflow/digest')).access_token)
  })

/** A caller with a token of the widget on other sites. */
const visitorOf = (world: World) =>
  once(world, 'widget', async () => {
    await world.admin.settings.change({ changes: { WIDGET_SITES: SITE } })
    return bearing(world, (await (await siteOf(world)).person()).token)
  })

const callers: [
  sentence: string,
  concerns: (operation: Operation) => boolean,
  check: (world: World, operation: Operation) => Promise<void>,
][] = [
  [
    'refuses anonymous callers with 401',
    ({ access }) => access.credential === 'required' || access.credential === 'session',
    async ({ anonymous }, operation) => assert.equal((await knock(anonymous, operation)).status, 401),
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
    'lets anonymous callers and blocked accounts read public content',
    ({ access }) => access.credential === 'optional',
    async ({ anonymous, blocked }, operation) => {
      for (const person of [anonymous, blocked]) {
        const { status } = await knock(person, operation)
        assert.ok(status !== 401 && status !== 403, String(status))
      }
    },
  ],
]

/** The same for tokens: what a token may not do, and that with exactly its scope it may. */
const holders: typeof callers = [
  [
    'refuses tokens that are not good with 401',
    needsAccount,
    async (world, operation) => {
      for (const token of ['nothing', 'no.jwt.here']) {
        assert.equal((await knock(bearing(world, token), operation)).status, 401)
      }
    },
  ],
  [
    'refuses tokens with every scope but the one that is needed, with 403 and a challenge',
    needsScope,
    async (world, operation) => {
      const others = allScopes.filter((scope) => scope !== operation.access.scope).join(' ')
      for (const kind of kinds) {
        const holder = await holderOf(world, world.admin, others, kind)
        assert.equal((await knock(holder, operation)).status, 403)
      }
    },
  ],
  [
    'refuses every token where only a session will do, with 401',
    ({ access }) => access.credential === 'session',
    async (world, operation) => {
      const holder = await holderOf(world, world.admin, allScopes.join(' '))
      assert.equal((await knock(holder, operation)).status, 401)
    },
  ],
  [
    'lets tokens with exactly the needed scope come as far as the input',
    needsScope,
    async (world, operation) => {
      for (const kind of kinds) {
        const holder = await holderOf(world, world.admin, operation.access.scope!, kind)
        const { status } = await knock(holder, operation)
        assert.ok(status !== 401 && status !== 403, String(status))
      }
    },
  ],
  [
    'refuses the tokens of members where a role is needed, with 403',
    // Where only a session will do, every token is 401, as above.
    ({ access }) => access.roles !== undefined && !access.roles.includes('member') && access.credential !== 'session',
    async (world, operation) => {
      const { status, body } = await knock(await holderOf(world, world.alice, allScopes.join(' ')), operation)
      assert.equal(status, 403)
      assertRefusal(body, refusal(operation, 'forbidden'))
    },
  ],
  [
    'refuses the token of a run of a CI with 403 where it does not publish',
    ({ access, publishes }) => access.credential !== 'none' && !publishes,
    async (world, operation) => {
      const { status, body } = await knock(await runOf(world), operation)
      assert.equal(status, 403)
      assert.match(JSON.stringify(body), /This token publishes one item, and does nothing else/)
    },
  ],
  [
    'lets the token of a run of a CI come as far as the input where it publishes',
    ({ publishes }) => publishes === true,
    async (world, operation) => {
      const { status } = await knock(await runOf(world), operation)
      assert.ok(status !== 401 && status !== 403, String(status))
    },
  ],
  [
    'refuses a token of the widget with 403 at all that the widget does not do',
    ({ access, widget }) => access.credential !== 'none' && !widget,
    async (world, operation) => {
      const { status, body } = await knock(await visitorOf(world), operation)
      assert.equal(status, 403)
      assert.match(JSON.stringify(body), /This token is of the widget, and does nothing else/)
    },
  ],
  [
    'lets a token of the widget come as far as the input at what the widget does',
    ({ widget }) => widget === true,
    async (world, operation) => {
      const { status } = await knock(await visitorOf(world), operation)
      assert.ok(status !== 401 && status !== 403, String(status))
    },
  ],
  [
    'refuses JWTs of accounts that were blocked since, with 403',
    needsScope,
    async (world, operation) => {
      const { status, body } = await knock(await blockedHolderOf(world, operation.access.scope!), operation)
      assert.equal(status, 403)
      assertRefusal(body, refusal(operation, 'blocked'))
    },
  ],
]

onEveryEngine('access', (it) => {
  for (const [sentence, concerns, check] of [...callers, ...holders]) {
    it(`${sentence}, at every operation`, async (world) => {
      const concerned = operations.filter(({ operation }) => concerns(operation))
      for (const { name, operation } of concerned) {
        await check(world, operation).catch((error: Error) => assert.fail(`${name}: ${error.message}`))
      }
    })
  }
})
