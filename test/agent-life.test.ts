// The whole life of an agent, with plain curl and with the SDK's own client: it registers, asks for bounds, is refused outside them, tries a
// write, waits for a yes, writes once though it sent twice, hands a helper a narrower token, and is stopped by its owner. What it sends is
// in /auth.md or in the metadata that page links to.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { createApp } from '../src/app.ts'
import { type Open, onEngines } from './databases.ts'
import { callWithConsent, connectTo, Memory } from './mcp/sdk-client.ts'
import { serve } from './mcp/serve.ts'
import { oauthClient } from './oauth.ts'
import { freePort } from './server.ts'
import { makeWorld, type World } from './world.ts'

const run = promisify(execFile)

const BOUNDS = { type: 'guildhall_bounds', kinds: ['posts', 'comments'], ask: ['posts'], writes: 20, expires_in: 86400 }
const POST = { title: 'Hello', body: 'From an agent' }

/** What members send is of their account, and no word of the protocol. */
const OWN_WORDS = ['body', 'title', 'value']

interface Answer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  json: any
}

interface Sent {
  method?: string
  headers?: Record<string, string>
  form?: Record<string, string>
  json?: object
}

/** Sends by curl alone, and remembers the words of the protocol that it sent. */
class Curl {
  readonly words = new Set<string>()
  /** With `{id}` for ids. */
  readonly paths = new Set<string>()

  async send(url: string, { method, headers = {}, form, json }: Sent = {}): Promise<Answer> {
    this.paths.add(new URL(url).pathname.replaceAll(/[0-9a-f-]{36}/g, '{id}'))
    for (const name of [...Object.keys(headers), ...Object.keys(form ?? {}), ...Object.keys(json ?? {})]) {
      if (!OWN_WORDS.includes(name)) this.words.add(name)
    }
    for (const scope of (form?.['scope'] ?? '').split(' ').filter(Boolean)) this.words.add(scope)
    for (const name of ['grant_type', 'subject_token_type']) if (form?.[name]) this.words.add(form[name])
    const body = json ? ['--data-binary', JSON.stringify(json)] : []
    const { stdout } = await run(
      'curl',
      [
        ...['-s', '-D', '-', url, ...(method ? ['-X', method] : [])],
        ...Object.entries({ ...headers, ...(json && { 'Content-Type': 'application/json' }) }).flatMap(
          ([name, value]) => ['-H', `${name}: ${value}`],
        ),
        ...Object.entries(form ?? {}).flatMap(([name, value]) => ['--data-urlencode', `${name}=${value}`]),
        ...body,
      ],
      { maxBuffer: 16 * 1024 ** 2 },
    )
    return answerIn(stdout)
  }
}

/** The last response of what curl printed with `-D -`. */
function answerIn(printed: string): Answer {
  const [head = '', ...rest] = printed.replace(/^HTTP\/1\.1 100[\s\S]*?\r\n\r\n/, '').split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const text = rest.join('\r\n\r\n')
  const headers = new Headers()
  for (const line of lines) {
    const [name = '', ...value] = line.split(':')
    headers.append(name, value.join(':').trim())
  }
  const isJson = headers.get('content-type')?.includes('json') ?? false
  return { status: Number(first.split(' ')[1]), headers, text, json: isJson && text ? JSON.parse(text) : undefined }
}

async function onPort(open: Open, use: (world: World, url: string) => Promise<void>) {
  const database = await open()
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-life-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const world = await makeWorld(database, { BASE_URL: url, BLOB_URL: `file:${folder}` })
  const app = createApp(world.dependencies)
  const server = await serve(app, port)
  try {
    await use(world, url)
  } finally {
    await server.close()
    await database.remove()
    await rm(folder, { recursive: true })
  }
}

/** The tokens of an agent that its owner lets in, as /auth.md tells how. */
async function letIn(world: World, curl: Curl, metadata: Record<string, string>) {
  const { registration_endpoint: register = '', token_endpoint: token = '' } = metadata
  const redirect_uri = 'http://127.0.0.1/callback'
  const grants = ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:token-exchange']
  const client = {
    ...{ client_name: 'My agent', redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none' },
    grant_types: grants,
  }
  const { client_id } = (await curl.send(register, { json: client })).json
  const code_verifier = randomBytes(32).toString('base64url')
  const query = {
    ...{ response_type: 'code', client_id, redirect_uri, state: 's', code_challenge_method: 'S256' },
    scope: 'community:read community:write offline_access',
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    authorization_details: JSON.stringify([BOUNDS]),
  }
  for (const name of [...Object.keys(query), ...query.scope.split(' '), ...Object.keys(BOUNDS), ...BOUNDS.kinds]) {
    curl.words.add(name)
  }
  // The owner's browser: it signs in, and agrees to what the agent asks for.
  const { authorize, decide } = oauthClient(world)
  await world.alice.account()
  const { to } = await authorize(world.alice, new URLSearchParams(query))
  const code = (await decide(world.alice, to!)).searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', client_id, redirect_uri, code, code_verifier }
  const tokens = await curl.send(token, { form })
  assert.equal(tokens.status, 200, tokens.text)
  return { client_id, access: tokens.json.access_token as string, granted: tokens.json.authorization_details }
}

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

/** A client of the SDK that has registered for handing tokens on, which the SDK itself does not do. */
class HandingOn extends Memory {
  override readonly clientMetadata = {
    ...new Memory().clientMetadata,
    grant_types: ['authorization_code', 'refresh_token', TOKEN_EXCHANGE],
  }
}

/** What a helper has: a token for reading that the agent made out of its own. */
async function helperOf(world: World, agent: Memory): Promise<Memory> {
  const { client_id = '' } = agent.clientInformation() ?? {}
  const { access_token, scope, status } = await oauthClient(world).token({
    ...{ grant_type: TOKEN_EXCHANGE, client_id, scope: 'community:read' },
    subject_token: agent.tokens()?.access_token ?? '',
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  })
  assert.deepEqual([status, scope], [200, 'community:read'])
  const helper = new Memory()
  helper.saveClientInformation({ client_id })
  helper.saveTokens({ access_token, token_type: 'Bearer' })
  return helper
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

onEngines('the life of an agent', (open) => {
  it('is lived with plain curl, and with the words of /auth.md alone', () =>
    onPort(open, async (world, url) => {
      const { alice } = world
      const curl = new Curl()
      const guide = (await curl.send(`${url}/auth.md`)).text
      const place = guide.match(/metadata at `([^`]+)`/)?.[1] ?? ''
      const described = await curl.send(place)
      const api = (await curl.send(guide.match(/http\S+openapi\.json/)?.[0] ?? '')).json
      const known = `${guide}\n${described.text}`.toLowerCase()
      const { client_id, access, granted } = await letIn(world, curl, described.json)
      assert.deepEqual(granted[0].ask, ['posts'])
      const posts = `${url}/api/community/posts`

      const { id } = await alice.posts.create({ title: 'Of the owner', body: 'B' })
      const vote = await curl.send(`${posts}/${id}/vote`, { headers: bearer(access), json: { value: 1 } })
      assert.equal(vote.status, 403, 'votes are not among its kinds')
      assert.match(vote.headers.get('www-authenticate') ?? '', /insufficient_authorization_details/)

      const tried = await curl.send(posts, { headers: { ...bearer(access), Prefer: 'handling=dry-run' }, json: POST })
      assert.equal(tried.status, 201)
      assert.equal(tried.headers.get('preference-applied'), 'handling=dry-run')
      assert.match(tried.headers.get('dry-run') ?? '', /asks/)
      assert.equal((await alice.posts.list({})).total, 1)

      const write = { headers: { ...bearer(access), 'Idempotency-Key': '"8e03978e"' }, json: POST }
      const [first, second] = [await curl.send(posts, write), await curl.send(posts, write)]
      assert.deepEqual([first.status, second.status, second.text], [202, 202, first.text])
      const act = first.headers.get('location') ?? ''
      assert.equal((await curl.send(act, { headers: bearer(access) })).json.state, 'waiting')
      assert.equal((await alice.posts.list({})).total, 1)

      const [waiting, ...none] = (await alice.pendingActs.list({ state: 'waiting' })).items
      assert.equal(none.length, 0)
      assert.deepEqual((await alice.pendingActs.get({ id: waiting?.id ?? '' })).request.fields, POST)
      await alice.pendingActs.approve({ id: waiting?.id ?? '' })
      const made = (await curl.send(act, { headers: bearer(access) })).json
      assert.deepEqual([made.state, made.answer.status, made.answer.body.title], ['made', 201, 'Hello'])
      assert.equal((await curl.send(posts, write)).text, first.text)
      const { items } = await alice.posts.list({})
      assert.deepEqual(
        items.map(({ title, via }) => [title, via?.clientId ?? null]),
        [
          ['Hello', client_id],
          ['Of the owner', null],
        ],
      )

      const exchange = {
        ...{ client_id, subject_token: access, scope: 'community:read' },
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      }
      const helper = (await curl.send(described.json.token_endpoint, { form: exchange })).json
      const me = `${url}/api/community/me`
      assert.equal((await curl.send(me, { headers: bearer(helper.access_token) })).status, 200)
      assert.equal((await curl.send(posts, { headers: bearer(helper.access_token), json: POST })).status, 403)

      await alice.signIns.endAll()
      for (const token of [access, helper.access_token]) {
        assert.equal((await curl.send(me, { headers: bearer(token) })).status, 401)
      }
      assert.deepEqual(
        [...curl.words].filter((word) => !known.includes(word.toLowerCase())),
        [],
      )
      const paths = ['/auth.md', ...Object.keys(api.paths).map((path) => `/api${path}`)]
      assert.deepEqual(
        [...curl.paths].filter((path) => !known.includes(path) && !paths.includes(path)),
        [],
      )
    }))

  for (const mode of ['legacy', 'auto'] as const) {
    it(`is lived with the client of the SDK (${mode})`, () =>
      onPort(open, async (world, url) => {
        const { alice } = world
        await alice.account()
        const memory = new HandingOn({ authorization_details: JSON.stringify([BOUNDS]) })
        const connected = await connectTo(url, mode, memory)
        const call = (name: string, input: object) =>
          callWithConsent({ world, person: alice }, connected, { name, input })
        const textOf = ({ content }: Awaited<ReturnType<typeof call>>) => JSON.stringify(content)
        const write = { ...POST, idempotencyKey: 'life-1' }
        assert.equal((await call('what_is_new', {})).isError, undefined)

        const tried = await call('create_post', { ...POST, dryRun: true })
        assert.match(textOf(tried), /A dry run: nothing was kept.*the account would be asked first/)
        const { id } = await alice.posts.create({ title: 'Of the owner', body: 'B' })
        const refused = await call('vote_post', { id, value: 1 })
        assert.equal(refused.isError, true)
        assert.match(textOf(refused), /does not let this agent write votes/)

        for (const waits of [await call('create_post', write), await call('create_post', write)]) {
          assert.equal(waits.isError, undefined)
          assert.match(textOf(waits), /not done yet.*list_pending_acts/)
          assert.match(
            JSON.stringify(waits.structuredContent),
            /^\{"pending":\{"id":"[^"]+","message":"This is not done yet/,
          )
        }
        const [waiting, ...none] = (await alice.pendingActs.list({ state: 'waiting' })).items
        assert.equal(none.length, 0)
        await alice.pendingActs.approve({ id: waiting?.id ?? '' })
        const { structuredContent } = await call('list_pending_acts', {})
        assert.partialDeepStrictEqual(structuredContent, {
          items: [{ id: waiting?.id, state: 'made', answer: { status: 201, body: { title: 'Hello' } } }],
        })
        assert.equal((await alice.posts.list({})).total, 2)

        const asked = await connectTo(url, mode, await helperOf(world, memory))
        const read = await asked.client.callTool({ name: 'get_me', arguments: {} })
        assert.partialDeepStrictEqual(read.structuredContent, { user: { name: 'alice' }, scopes: ['community:read'] })
        await assert.rejects(asked.client.callTool({ name: 'create_post', arguments: POST }))
        assert.equal((await alice.posts.list({})).total, 2)

        await alice.signIns.endAll()
        await assert.rejects(asked.client.callTool({ name: 'get_me', arguments: {} }))
        await asked.client.close()
        await assert.rejects(connected.client.callTool({ name: 'get_me', arguments: {} }))
        await connected.client.close()
      }))
  }
})
