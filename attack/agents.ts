// What agents have that people have not: keys of writes, dry runs, writes that wait for a yes, and streams of changes. Used for another
// account's answers, for things that stay, for a write that was not agreed to, and to hear of private things.
import { setTimeout as sleep } from 'node:timers/promises'
import { WaitingError } from '../client/src/main-node.ts'
import { type Attack, atOnce, hold, holdEach, holdRefused, holdStatus, refusalOf, shown } from './attack.ts'
import { bearer, register, revoke, signIn } from './oauth-client.ts'
import type { Person } from './person.ts'
import type { Target } from './target.ts'
import { BUG, publish, workflow } from './things.ts'

const CLAUSE = 'agents'
const MODERN = '2026-07-28'

const DRY = { dryRun: true }

const TOLD = /resources\/updated/

interface Patience {
  /** When this was said the stream is left; after its first answer unless told. */
  until?: RegExp
  leave?: AbortSignal
}

/** What a stream said until it was left, and its status. */
async function heard(
  target: Target,
  token: string | undefined,
  uri: string,
  { until = /./, leave = AbortSignal.timeout(10_000) }: Patience = {},
) {
  const { origin } = target.place
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'attack', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { notifications: { resourceSubscriptions: [origin + uri] }, _meta: meta }
  const ending = new AbortController()
  const response = await fetch(`http://${target.place.hostname}:${target.place.port}/api/mcp`, {
    method: 'POST',
    signal: AbortSignal.any([ending.signal, leave]),
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': MODERN,
      'Mcp-Method': 'subscriptions/listen',
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }),
  })
  let text = ''
  try {
    for await (const piece of response.body ?? []) {
      text += Buffer.from(piece).toString()
      if (until.test(text)) ending.abort()
    }
  } catch {
    // It was left.
  }
  return { status: response.status, text }
}

async function agentThatAsks(target: Target, owner: Person): Promise<Person> {
  const more = { authorization_details: JSON.stringify([{ type: 'guildhall_bounds', ask: ['posts', 'library'] }]) }
  const scope = 'community:read community:write library:write offline_access'
  return bearer(target, (await signIn(target, owner, { clientId: await register(target), scope, more })).accessToken)
}

/** The id of the act that this call waits with. */
async function waiting(call: Promise<unknown>): Promise<string> {
  const refusal = await refusalOf(call)
  hold(refusal instanceof WaitingError, 'it does not wait')
  return refusal.pendingId
}

export const agents: Attack[] = [
  {
    name: 'the key of a write gives no other account, client or scope its answer, and makes one thing of many at once',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const [alice, bob] = [await target.newcomer(), await target.newcomer()]
      const key = { idempotencyKey: 'the-same' }
      const { id } = await alice.api.bugs.create(BUG, key)
      const holding = async (scope: string) => bearer(target, (await signIn(target, alice, { scope })).accessToken)
      const [reader, writer] = [await holding('community:read'), await holding('community:write')]
      await holdRefused(reader.api.bugs.create(BUG, key), [403], 'a token that may only read')
      await holdRefused(target.anonymous().api.bugs.create(BUG, key), [401], 'an anonymous caller')
      for (const other of [bob, writer]) {
        const reply = await other.post('/api/community/bugs', BUG, { 'Idempotency-Key': '"the-same"' })
        holdStatus(reply, [201], 'a write of another')
        hold(reply.json()?.['id'] !== id && !reply.headers['idempotency-replayed'], 'the answer was of another')
      }
      await holdRefused(alice.api.bugs.create({ ...BUG, title: 'Another' }, key), [422], 'another body')
      const { answers } = await atOnce(8, () => bob.api.bugs.create(BUG, { idempotencyKey: 'at-once' }))
      const ids = new Set(answers.map((bug) => bug.id))
      hold(ids.size === 1, `${ids.size} things were made of one key`)
      return 'each caller has keys of its own'
    },
  },
  {
    name: 'a dry run makes nothing that can be used: no token, no thing, no vote, no name',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const { api } = owner
      const { token } = await api.personalTokens.create({ name: 'A script', scopes: ['community:read'] }, DRY)
      await holdRefused(bearer(target, token).api.profile.me(), [401], 'the token of a dry run')
      const key = { 'Idempotency-Key': '"dry"' }
      const { id } = await api.bugs.create(BUG, { ...DRY, headers: key })
      await holdRefused(api.bugs.get({ id }), [404], 'the bug of a dry run')
      await holdRefused(api.bugs.vote({ id, value: 1 }), [404], 'a vote for it')
      const made = await owner.post('/api/community/bugs', BUG, key)
      hold(!made.headers['idempotency-replayed'], 'the key of a dry run was used up')
      const wrong = ['/api/auth/sign-in/email', '/api/auth/sign-up/email']
      const guess = { email: owner.email, password: 'a wrong password', name: 'x' }
      await holdEach(wrong, String, async (path) => {
        const reply = await target.anonymous().post(path, guess, { Prefer: 'handling=dry-run' })
        holdStatus(reply, [400], 'a guess that costs no try')
      })
      return 'nothing stays'
    },
  },
  {
    name: 'a write that waits for a yes cannot be changed, agreed to or read by anyone but its owner',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const [owner, other] = [await target.newcomer(), await target.newcomer()]
      const agent = await agentThatAsks(target, owner)
      const second = bearer(target, (await signIn(target, owner)).accessToken)
      const key = { idempotencyKey: 'wait' }
      const id = await waiting(agent.api.bugs.create(BUG, key))
      await holdRefused(agent.api.bugs.create({ ...BUG, title: 'Swapped' }, key), [422], 'another body for its key')
      for (const one of [agent, second])
        await holdRefused(one.api.pendingActs.approve({ id }), [401], 'a yes by a token')
      for (const one of [other, second]) await holdRefused(one.api.pendingActs.get({ id }), [404], 'a look')
      await holdRefused(other.api.pendingActs.approve({ id }), [404], 'a yes by another account')
      // Its own agent may take it back (pendingActs.withdraw), and no one else.
      for (const one of [other, second])
        holdStatus(await one.post(`/api/account/pending-acts/${id}`, {}, {}, 'DELETE'), [404], 'taken back')
      await holdEach(['PUT', 'PATCH'], String, async (method) =>
        holdStatus(await agent.post(`/api/account/pending-acts/${id}`, BUG, {}, method), [404, 405], 'changed'),
      )
      const { answers } = await atOnce(6, () => owner.api.pendingActs.approve({ id }))
      hold(answers.length === 1, 'it was agreed to more than once')
      const { items } = await owner.api.bugs.list({ authorId: owner.id, per_page: 100 })
      const titles = items.map(({ title }) => title)
      hold(titles.join() === BUG.title, `made: ${titles}`)
      return 'made once, as it was shown'
    },
  },
  {
    name: 'what is asked for a yes is named as it is, not by words that do nothing, and is asked again once it has changed',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const agent = await agentThatAsks(target, owner)
      const item = await publish(owner, 'workflow', workflow({ name: 'Payroll' }))
      const words = { name: 'Old scratch', title: 'Old scratch', description: 'Old scratch' }
      const asked = await agent.post(`/api/library/items/${item.id}?title=Old+scratch`, words, {}, 'DELETE')
      holdStatus(asked, [202], 'it waits')
      const id = String(asked.json()?.['id'])
      const acts = '/api/account/pending-acts'
      await holdEach([acts, `${acts}/${id}`, `/settings/pending/${id}`], String, async (where) => {
        const { text } = await owner.get(where)
        hold(text.includes('Payroll'), 'it does not name the thing')
        hold(!text.includes('scratch'), 'it shows words that do nothing')
      })
      const { seen } = await owner.api.pendingActs.get({ id })
      await owner.api.library.update({ id: item.id, name: 'Payroll of May' })
      await holdRefused(owner.api.pendingActs.approve({ id, seen }), [409], 'a yes to what was shown before')
      await owner.api.library.get({ id: item.id })
      return 'named by its own title'
    },
  },
  {
    name: 'a yes that comes at the moment of a change never writes over it unseen',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const agent = await agentThatAsks(target, owner)
      let late = 0
      for (let round = 0; round < 12; round++) {
        const { id } = await owner.api.bugs.create(BUG)
        const act = await waiting(agent.api.bugs.edit({ id, title: 'By the agent' }))
        const approval = refusalOf(owner.api.pendingActs.approve({ id: act }))
        await sleep(2 * round)
        const [refusal] = await Promise.all([approval, owner.api.bugs.edit({ id, title: 'By its author' })])
        hold(!refusal || refusal.status === 409, `the yes: ${refusal?.status}`)
        if (refusal) late++
        const { title } = await owner.api.bugs.get({ id })
        hold(title === 'By its author', `round ${round}: ${title}, and the yes was ${refusal?.status ?? 'taken'}`)
      }
      return `${late} of 12 came too late`
    },
  },
  {
    name: 'a subscription tells nothing of private things, and is opened by no token that has ended',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const [owner, other] = [await target.newcomer(), await target.newcomer()]
      const { id } = await publish(owner, 'workflow', workflow(), { visibility: 'private' })
      const path = `/api/library/items/${id}`
      const scope = 'library:read community:read'
      const [tokens, own] = [await signIn(target, other, { scope }), await signIn(target, owner, { scope })]
      const left = new AbortController()
      const nothing = '/api/library/items/00000000-0000-7000-8000-000000000000'
      const streams = [tokens.accessToken, undefined].flatMap((token) =>
        [path, nothing].map((uri) => heard(target, token, uri, { until: TOLD, leave: left.signal })),
      )
      const ofOwner = heard(target, own.accessToken, path, { until: TOLD })
      await sleep(500)
      await owner.api.library.update({ id, description: 'Changed' })
      hold(TOLD.test((await ofOwner).text), 'its owner is not told')
      // What others are told comes in the same turn, or in the next.
      await sleep(1_000)
      left.abort()
      for (const { status, text } of await Promise.all(streams)) {
        hold(status === 200 && text.includes('acknowledged'), `no stream: ${status} ${text.slice(0, 80)}`)
        hold(!TOLD.test(text), `a private change was told: ${text.slice(0, 200)}`)
      }
      const ways = ['/api/admin/users', '/settings', '@evil.example/api/library/items/x', `${path}?token=x`]
      await holdEach(ways, String, async (uri) => {
        const { text } = await heard(target, tokens.accessToken, uri)
        hold(text.includes('no resource of this server'), `${uri}: ${text.slice(0, 80)}`)
      })
      await revoke(target, tokens)
      const late = await heard(target, tokens.accessToken, path)
      hold(late.status === 401, `a revoked token: ${late.status}`)
      return `${streams.length} streams heard nothing`
    },
  },
  {
    name: 'a token in an address is no credential, and is not repeated',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const { token } = await owner.api.personalTokens.create({ name: 'A script', scopes: ['library:read'] })
      await holdEach(['access_token', 'token', 'bearer_token', 'authorization'], String, async (name) => {
        const reply = await target.anonymous().get(`/api/library/items?scope=mine&${name}=${token}`)
        holdStatus(reply, [401], 'a token in an address')
        hold(!reply.text.includes(token) && !JSON.stringify(reply.headers).includes(token), `repeated: ${shown(reply)}`)
      })
      return 'four names'
    },
  },
]
