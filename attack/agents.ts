// What agents have that people have not: keys of writes, dry runs, writes that wait for a yes, and streams of changes. Used for another
// account's answers, for things that stay, for a write that was not agreed to, and to hear of private things.
import { type Attack, hold, holdEach, holdStatus, shown } from './attack.ts'
import { AGENT, bearer, register, signIn } from './oauth-client.ts'
import type { Person } from './person.ts'
import type { Target } from './target.ts'
import { makeItem, publish, workflow } from './things.ts'

const CLAUSE = 'agents'
const BUGS = '/api/community/bugs'
const BUG = { title: 'Sent twice', description: 'With one key', severity: 'low' }
const MODERN = '2026-07-28'

const keyed = (key: string) => ({ 'Idempotency-Key': `"${key}"` })
const DRY = { Prefer: 'handling=dry-run' }

/** What a stream said in this time, and its status; the stream is left then. */
async function heard(target: Target, token: string | undefined, uris: readonly string[], milliseconds: number) {
  const { origin } = target.place
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'attack', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { notifications: { resourceSubscriptions: uris.map((uri) => origin + uri) }, _meta: meta }
  const ending = new AbortController()
  const response = await fetch(`http://${target.place.hostname}:${target.place.port}/api/mcp`, {
    method: 'POST',
    signal: ending.signal,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': MODERN,
      'Mcp-Method': 'subscriptions/listen',
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }),
  })
  setTimeout(() => ending.abort(), milliseconds)
  let text = ''
  try {
    for await (const piece of response.body ?? []) text += Buffer.from(piece).toString()
  } catch {
    // It was left.
  }
  return { status: response.status, text }
}

async function agentThatAsks(target: Target, owner: Person): Promise<Person> {
  const more = { authorization_details: JSON.stringify([{ type: 'guildhall_bounds', ask: ['posts', 'library'] }]) }
  const scope = 'community:read community:write library:write offline_access'
  return bearer(target, (await signIn(target, owner, { clientId: await register(target), scope, more })).access_token)
}

export const agents: Attack[] = [
  {
    name: 'the key of a write gives no other account, client or scope its answer, and makes one thing of many at once',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const [alice, bob] = [await target.newcomer(), await target.newcomer()]
      const key = keyed('the-same')
      const first = await alice.post(BUGS, BUG, key)
      holdStatus(first, [201], 'an honest write')
      const id = first.json()?.['id']
      const read = await signIn(target, alice, { clientId: AGENT, scope: 'community:read' })
      const write = await signIn(target, alice, { clientId: AGENT, scope: 'community:write' })
      holdStatus(await bearer(target, read.access_token).post(BUGS, BUG, key), [403], 'a token that may only read')
      holdStatus(await target.anonymous().post(BUGS, BUG, key), [401], 'an anonymous caller')
      for (const other of [bob, bearer(target, write.access_token)]) {
        const reply = await other.post(BUGS, BUG, key)
        holdStatus(reply, [201], 'a write of another')
        hold(reply.json()?.['id'] !== id && !reply.headers['idempotency-replayed'], 'the answer was of another')
      }
      holdStatus(await alice.post(BUGS, { ...BUG, title: 'Another' }, key), [422], 'another body')
      const replies = await Promise.all(Array.from({ length: 8 }, () => bob.post(BUGS, BUG, keyed('at-once'))))
      const ids = new Set(replies.filter(({ status }) => status === 201).map(({ json }) => json()?.['id']))
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
      const tried = await owner.post('/api/account/tokens', { name: 'A script', scopes: ['community:read'] }, DRY)
      holdStatus(tried, [201], 'a token is tried')
      const token = String(tried.json()?.['token'])
      holdStatus(await bearer(target, token).get('/api/community/me'), [401], 'the token of a dry run')
      const bug = await owner.post(BUGS, BUG, { ...DRY, ...keyed('dry') })
      holdStatus(bug, [201], 'a bug is tried')
      const path = `${BUGS}/${bug.json()?.['id']}`
      holdStatus(await owner.get(path), [404], 'the bug of a dry run')
      holdStatus(await owner.post(`${path}/vote`, { value: 1 }), [404], 'a vote for it')
      const made = await owner.post(BUGS, BUG, keyed('dry'))
      hold(!made.headers['idempotency-replayed'], 'the key of a dry run was used up')
      const wrong = ['/api/auth/sign-in/email', '/api/auth/sign-up/email']
      const guess = { email: owner.email, password: 'a wrong password', name: 'x' }
      await holdEach(wrong, String, async (one) =>
        holdStatus(await target.anonymous().post(one, guess, DRY), [400], 'a guess that costs no try'),
      )
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
      const second = bearer(target, (await signIn(target, owner, { clientId: AGENT })).access_token)
      const asked = await agent.post(BUGS, BUG, keyed('wait'))
      holdStatus(asked, [202], 'it waits')
      const path = `/api/account/pending-acts/${asked.json()?.['id']}`
      holdStatus(await agent.post(BUGS, { ...BUG, title: 'Swapped' }, keyed('wait')), [422], 'another body for its key')
      for (const one of [agent, second]) holdStatus(await one.post(`${path}/approve`, {}), [401], 'a yes by a token')
      for (const one of [other, second]) holdStatus(await one.get(path), [404], 'a look')
      holdStatus(await other.post(`${path}/approve`, {}), [404], 'a yes by another account')
      await holdEach(['PUT', 'PATCH', 'DELETE'], String, async (method) =>
        holdStatus(await agent.json(method, path, BUG), [404, 405], 'changed'),
      )
      const replies = await Promise.all(Array.from({ length: 6 }, () => owner.post(`${path}/approve`, {})))
      hold(replies.filter(({ status }) => status === 200).length === 1, 'it was agreed to more than once')
      const list = await owner.get(`${BUGS}?per_page=100`)
      const bugs = (list.json()?.['items'] ?? []) as { title: string; authorId: string }[]
      const own = bugs.filter(({ authorId }) => authorId === owner.id).map(({ title }) => title)
      hold(own.join() === BUG.title, `made: ${own}`)
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
      const item = await makeItem(owner, { kind: 'workflow', content: workflow({ name: 'Payroll' }) })
      const path = `/api/library/items/${item.id}`
      const words = { name: 'Old scratch', title: 'Old scratch', description: 'Old scratch' }
      const asked = await agent.json('DELETE', `${path}?title=Old+scratch`, words)
      holdStatus(asked, [202], 'it waits')
      const act = `/api/account/pending-acts/${asked.json()?.['id']}`
      const shownAt = ['/api/account/pending-acts', act, act.replace('/api/account/pending-acts', '/settings/pending')]
      await holdEach(shownAt, String, async (where) => {
        const { text } = await owner.get(where)
        hold(text.includes('Payroll'), 'it does not name the thing')
        hold(!text.includes('scratch'), 'it shows words that do nothing')
      })
      const seen = (await owner.get(act)).json()?.['seen']
      holdStatus(await owner.json('PATCH', path, { name: 'Payroll of May' }), [200], 'an honest change')
      holdStatus(await owner.post(`${act}/approve`, { seen }), [409], 'a yes to what was shown before')
      holdStatus(await owner.get(path), [200], 'the thing')
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
      const outcomes = new Map<number, number>()
      for (let round = 0; round < 12; round++) {
        const bug = `${BUGS}/${(await owner.post(BUGS, BUG)).json()?.['id']}`
        const asked = await agent.json('PATCH', `${bug}/text`, { title: 'By the agent' })
        holdStatus(asked, [202], 'it waits')
        const approval = owner.post(`/api/account/pending-acts/${asked.json()?.['id']}/approve`, {})
        await new Promise((resolve) => setTimeout(resolve, 2 * round))
        const [yes, edited] = await Promise.all([
          approval,
          owner.json('PATCH', `${bug}/text`, { title: 'By its author' }),
        ])
        holdStatus(edited, [200], 'an honest change')
        holdStatus(yes, [200, 409], 'the yes')
        outcomes.set(yes.status, (outcomes.get(yes.status) ?? 0) + 1)
        const title = (await owner.get(bug)).json()?.['title']
        hold(title === 'By its author', `round ${round}: ${title}, and the yes was ${yes.status}`)
      }
      return [...outcomes].map(([status, count]) => `${status}: ${count}`).join(', ')
    },
  },
  {
    name: 'a subscription tells nothing of private things, and is opened by no token that has ended',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const [owner, other] = [await target.newcomer(), await target.newcomer()]
      const item = await publish(owner, { kind: 'workflow', content: workflow(), fields: { visibility: 'private' } })
      const path = `/api/library/items/${item.json()?.['id']}`
      const tokens = await signIn(target, other, { clientId: AGENT, scope: 'library:read community:read' })
      const nothing = '/api/library/items/00000000-0000-7000-8000-000000000000'
      const streams = [tokens.access_token, undefined].flatMap((token) =>
        [path, nothing].map((uri) => heard(target, token, [uri], 4_000)),
      )
      await new Promise((resolve) => setTimeout(resolve, 500))
      const change = await owner.json('PATCH', path, { description: 'Changed' })
      holdStatus(change, [200], 'an honest change')
      for (const { status, text } of await Promise.all(streams)) {
        hold(status === 200 && text.includes('acknowledged'), `no stream: ${status} ${text.slice(0, 80)}`)
        hold(!text.includes('resources/updated'), `a private change was told: ${text.slice(0, 200)}`)
      }
      const ways = ['/api/admin/users', '/settings', '@evil.example/api/library/items/x', `${path}?token=x`]
      await holdEach(ways, String, async (uri) => {
        const { text } = await heard(target, tokens.access_token, [uri], 500)
        hold(text.includes('no resource of this server'), `${uri}: ${text.slice(0, 80)}`)
      })
      await target.anonymous().form('/api/auth/oauth2/revoke', { client_id: AGENT, token: tokens.access_token })
      const late = await heard(target, tokens.access_token, [path], 500)
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
      const made = await owner.post('/api/account/tokens', { name: 'A script', scopes: ['library:read'] })
      const token = String(made.json()?.['token'])
      await holdEach(['access_token', 'token', 'bearer_token', 'authorization'], String, async (name) => {
        const reply = await target.anonymous().get(`/api/library/items?scope=mine&${name}=${token}`)
        holdStatus(reply, [401], 'a token in an address')
        hold(!reply.text.includes(token) && !JSON.stringify(reply.headers).includes(token), `repeated: ${shown(reply)}`)
      })
      return 'four names'
    },
  },
]
