// A private instance tells an anonymous caller nothing: every operation, tool, page, feed, picture, file and document of the server, with
// things that are there and with things that are not, gives the same refusal. Derived: what is new is in it, or in the list of what stays open.
import assert from 'node:assert/strict'
import { accessOf } from '../src/core/readers.ts'
import { buildSite } from '../src/surfaces/site/build.ts'
import { OPEN_PAGES } from '../src/surfaces/site/gate.ts'
import { ask, MODERN } from './mcp/caller.ts'
import {
  type AnonymousCall,
  type Community,
  callsOf,
  fill,
  NOTHING,
  pagesOf,
  setReaders,
  WORD,
} from './private-world.ts'
import { onEveryEngine, type World } from './world.ts'

/** What an anonymous caller still calls, and why it has no content. */
const OPEN_OPERATIONS: Readonly<Record<string, string>> = {
  'accounts.signUp': 'the way in',
  'accounts.signIn': 'the way in',
  'accounts.sendCode': 'the way in',
  'accounts.signInWithCode': 'the way in',
  'accounts.signOut': 'the way out',
  'accounts.getSession': 'says null without a session',
  'accounts.forgotPassword': 'the way in',
  'accounts.resetPassword': 'the way in',
  'passkeys.beginSignIn': 'the way in',
  'passkeys.signIn': 'the way in',
  'external.begin': 'the way in',
  'external.finish': 'the way in',
  'challenges.create': 'numbers by chance',
  'address.undo': 'the secret of a mailed link is the proof',
  'invitation.open': 'the secret of the link is the proof',
  'setup.check': 'the secret of the link is the proof',
  'setup.sendCode': 'the secret of the link is the proof',
  'setup.finish': 'the secret of the link is the proof',
  'claims.claim': 'the way in of agents',
  'claims.verify': 'the way in of agents',
  'notifications.unsubscribe': 'the secret of a mailed link is the proof',
  'guestDigest.confirm': 'the secret of a mailed link is the proof',
  'guestDigest.unsubscribe': 'the secret of a mailed link is the proof',
  'widget.identify': 'what a site signed is the proof',
  'widget.report': 'writes a report, and reads nothing',
  'moderation.appealByLink': 'the secret of a mailed link is the proof',
}

/** What the server has beside operations and pages, and why it has no content. Patterns of the router. */
const OPEN_PATHS: readonly (readonly [path: RegExp, why: string])[] = [
  [/^\/api\/openapi\.json$/, 'describes the software'],
  [/^\/api\/mcp\/server-card$/, 'describes the software'],
  [/^\/\.well-known\//, 'metadata of OAuth and of MCP, and security.txt'],
  [/^\/api\/auth\/\.well-known\//, 'metadata of OAuth'],
  [/^\/api\/auth\/(?:oauth2|jwks)/, 'the authorization server: the way in'],
  [/^\/oauth\//, 'pages of the authorization server: they name the app and the account that is signed in alone'],
  [/^\/(?:llms\.txt|auth\.md)$/, 'describe the software'],
  [/^\/security\.txt$/, 'how to report a flaw, as the operator set it'],
  [/^\/schemas\//, 'formats of files'],
  [
    /^\/(?:healthz|readyz|metrics)$/,
    'for machines of the operator; figures need a token, or a connection of this machine',
  ],
  [/^\/log\/key$/, 'a public key'],
  [/^\/api\/chat\//, 'commands that a chat signs; a search asks who is linked'],
]
/** Asked for by other parts of this test, or by no one: `/api/*` is where nothing is, `*` is the site. */
const ASKED_ELSEWHERE = ['/api/*', '*', '/*', '/api/mcp', '/api/mcp/']

const MODES = ['everyone', 'members'] as const

interface AnonymousAnswer {
  status: number
  text: string
  headers: Headers
}

async function look({ anonymous }: World, { path, method, body }: AnonymousCall, headers: Record<string, string> = {}) {
  const sent = { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) }
  const response = await anonymous.request(path, { method, headers: sent, ...(body !== undefined && { body }) })
  const bytes = Buffer.from(await response.arrayBuffer())
  return {
    status: response.status,
    text: bytes.toString('latin1'),
    headers: response.headers,
  } satisfies AnonymousAnswer
}

/** Everything of an answer that could tell something, but for the ids of requests and nonces. */
function toldBy({ status, text, headers }: AnonymousAnswer): string {
  const all = [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name)).map((pair) => pair.join(': '))
  return [status, ...all, text].join('\n').replace(/nonce[-="]+[\w+/=-]+/g, '')
}

function assertTellsNothing(seen: AnonymousAnswer, { ids }: Community, asked: AnonymousCall): void {
  const told = decodeURIComponent(toldBy(seen).replace(/%(?![\da-f]{2})/gi, ''))
  const where = `${asked.method} ${asked.path}`
  // The address that was asked for is no news to its caller.
  const news = told.replaceAll(decodeURIComponent(asked.path), '')
  assert.doesNotMatch(news, new RegExp(WORD, 'i'), where)
  for (const id of ids) assert.ok(!news.includes(id), `${where} tells of ${id}`)
  assert.match(seen.headers.get('x-robots-tag') ?? '', /noindex/, where)
  assert.doesNotMatch(seen.headers.get('cache-control') ?? '', /public/, where)
}

const nothing: Pick<Community, 'bySlice'> = { bySlice: {} }

/** The refusal of an address must not depend on what there is. */
const withoutAddress = (seen: AnonymousAnswer) =>
  toldBy(seen)
    .replace(/to=\S+/, 'to=')
    .replace(/content-length: \d+/, '')

const isOpenPage = (path: string) =>
  OPEN_PAGES.some((page) => path === page || path.startsWith(`${page}/`)) || path === '/robots.txt'

await buildSite(() => {})

onEveryEngine('a private instance', (it) => {
  it('refuses every operation to anonymous callers in the words of its area, whatever there is', async (world) => {
    const community = await fill(world)
    const calls = callsOf(community)
    const others = callsOf(nothing)
    let shown = 0
    for (const call of calls) {
      const seen = await look(world, call)
      if (call.operation.access.area.reading && seen.status === 200) shown++
    }
    assert.ok(shown > 60, `only ${shown} operations show something where all is public`)
    await setReaders(world, 'members')
    for (const [at, call] of calls.entries()) {
      const { name, operation } = call
      const seen = await look(world, call)
      assertTellsNothing(seen, community, call)
      if (name in OPEN_OPERATIONS) continue
      assert.equal(seen.status, 401, name)
      assert.equal(operation.access.area.errorBody.safeParse(JSON.parse(seen.text)).success, true, name)
      assert.match(seen.headers.get('www-authenticate') ?? '', /scope="(community|library):read"/, name)
      assert.match(seen.headers.get('cache-control') ?? '', /no-store/, name)
      assert.equal(withoutAddress(await look(world, others[at]!)), withoutAddress(seen), name)
      const head = await look(world, { ...call, method: call.method === 'GET' ? 'HEAD' : call.method })
      assert.equal(head.status, 401, name)
      const part = await look(world, call, { Range: 'bytes=0-1', 'If-None-Match': '*' })
      assert.equal(part.status, 401, name)
    }
    for (const name of Object.keys(OPEN_OPERATIONS))
      assert.ok(
        calls.some((call) => call.name === name),
        name,
      )
  })

  it('leads from every page to the sign-in, and refuses every feed and picture, whatever there is', async (world) => {
    const community = await fill(world)
    const pages = pagesOf(community)
    const others = pagesOf(nothing)
    let shown = 0
    for (const page of pages) if ((await look(world, page)).text.includes(WORD)) shown++
    assert.ok(shown > 30, `only ${shown} pages show something where all is public`)
    await setReaders(world, 'members')
    for (const [at, page] of pages.entries()) {
      const seen = await look(world, page)
      assertTellsNothing(seen, community, page)
      const path = page.path.replace(/\?.*/, '').replace(/\/__data\.json$/, '') || '/'
      if (isOpenPage(path)) continue
      const refused = /__data\.json$|\.(?:atom|ics|svg|png|xml)$/.test(page.path.replace(/\?.*/, ''))
        ? [401, 404]
        : [303]
      assert.ok(refused.includes(seen.status), `${page.path}: ${seen.status}`)
      if (seen.status === 303)
        assert.equal(seen.headers.get('location'), `/sign-in?to=${encodeURIComponent(page.path)}`)
      assert.match(seen.headers.get('cache-control') ?? '', /private, no-store/, page.path)
      assert.equal(withoutAddress(await look(world, others[at]!)), withoutAddress(seen), page.path)
    }
    assert.match((await look(world, { name: '', method: 'GET', path: '/robots.txt' })).text, /^Disallow: \/$/m)
  })

  it('has no other path that tells something', async (world) => {
    const community = await fill(world)
    await setReaders(world, 'members')
    const operations = new Set(callsOf(community).map(({ operation }) => operation.path))
    const isOperation = (path: string) => /^\/api\/(?!auth\/(?:oauth2|\.well-known|jwks)|openapi|mcp)/.test(path)
    assert.ok(operations.size > 0)
    const rest = world.app.paths.filter((path) => !isOperation(path) && !ASKED_ELSEWHERE.includes(path))
    assert.ok(rest.length > 20, String(rest.length))
    for (const path of rest) {
      const asked = { name: path, path: path.replace(/\*$/, '0/000').replace(/:\w+/g, NOTHING), method: 'GET' }
      const seen = await look(world, asked)
      assertTellsNothing(seen, community, asked)
      if (OPEN_PATHS.some(([open]) => open.test(path))) continue
      assert.equal(seen.status, 401, path)
    }
  })

  it('tells agents without a token what it can do, and nothing of what there is', async (world) => {
    const community = await fill(world)
    await setReaders(world, 'members')
    const { app } = world
    const baseUrl = world.dependencies.config.baseUrl
    const id = community.bySlice['bugs']!['id']!
    const messages: [string, object][] = [
      ['tools/list', {}],
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['prompts/list', {}],
      ['resources/read', { uri: `${baseUrl}/api/community/bugs/${id}` }],
      [
        'completion/complete',
        {
          ref: { type: 'ref/resource', uri: `${baseUrl}/api/community/bugs/{id}` },
          argument: { name: 'id', value: '' },
        },
      ],
    ]
    const listed = await ask(app, 'tools/list')
    const tools = (
      listed.messages[0]!.result as unknown as { tools: { name: string; inputSchema: { required?: string[] } }[] }
    ).tools
    for (const { name } of tools)
      messages.push(['tools/call', { name, arguments: { id, q: WORD, number: 1, ref: id } }])
    const prompts = await ask(app, 'prompts/list')
    const names = (
      prompts.messages[0]!.result as unknown as { prompts: { name: string; arguments?: { name: string }[] }[] }
    ).prompts
    for (const { name, arguments: args = [] } of names) {
      messages.push(['prompts/get', { name, arguments: Object.fromEntries(args.map((one) => [one.name, id])) }])
    }
    const uri = `${baseUrl}/api/community/bugs/${id}`
    const listening = { notifications: { resourceSubscriptions: [uri] } }
    assert.equal((await ask(app, 'subscriptions/listen', listening, { era: MODERN })).status, 401)
    for (const [method, params] of messages) {
      const answer = await ask(app, method, params)
      const text = JSON.stringify(answer.messages).replaceAll(JSON.stringify(params).slice(1, -1), '')
      assert.doesNotMatch(text, new RegExp(WORD, 'i'), method)
      for (const one of community.ids) assert.ok(one === id || !text.includes(one), `${method} tells of ${one}`)
    }
  })

  it('is read by a session, and by a token with the scope of the area', async (world) => {
    await fill(world)
    await setReaders(world, 'members')
    assert.ok((await world.bob.bugs.list()).items.length > 0)
    assert.ok((await world.bob.library.list()).items.length > 0)
    const page = await world.bob.request('/community/bugs')
    assert.equal(page.status, 200)
    const text = await page.text()
    assert.match(text, new RegExp(WORD))
    assert.doesNotMatch(text, /og:image/)
    assert.match(page.headers.get('cache-control') ?? '', /private/)
    assert.match(page.headers.get('x-robots-tag') ?? '', /noindex/)
  })

  it('is public again with the setting, as before', async (world) => {
    const community = await fill(world)
    const asked = [...callsOf(community), ...pagesOf(community)].filter(({ method }) => method === 'GET')
    const stable = asked.filter(({ path }) => /\/(?:bugs|posts|labels|teams)\b/.test(path))
    const before = new Map<string, number>()
    for (const one of stable) before.set(one.path, (await look(world, one)).status)
    for (const mode of [...MODES].reverse()) await setReaders(world, mode)
    for (const one of stable) assert.equal((await look(world, one)).status, before.get(one.path), one.path)
  })
})

/** The list of what is open is about what is open by default alone. */
onEveryEngine('the access of operations', (it) => {
  it('is as declared where all is public', async ({ dependencies }) => {
    for (const { operation } of callsOf(nothing))
      assert.equal(accessOf(operation.access, dependencies.config), operation.access)
  })
})
