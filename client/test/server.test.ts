// The client against a server that listens, on both engines.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { failureOf } from '../../cli/src/failure.ts'
import { operatorsAgent } from '../../test/agents.ts'
import { onEngines } from '../../test/databases.ts'
import { listening } from '../../test/listening.ts'
import { AGENT, oauthClient } from '../../test/oauth.ts'
import { temporaryDirectory } from '../../test/temporary.ts'
import type { World } from '../../test/world.ts'
import { type GuildhallError, SignInEndedError, SignInError, WaitingError } from '../src/errors.ts'
import { fileTokens } from '../src/file-tokens.ts'
import { signInWithBrowser } from '../src/loopback.ts'
import {
  type Bug,
  type Client,
  createClient,
  finishSignIn,
  type Input,
  memoryTokens,
  type Output,
  redeemCode,
  registerClient,
  requestCode,
  signOut,
  type TokenStore,
  type Tokens,
} from '../src/main-node.ts'
import { saveDownload } from '../src/save-download.ts'
import { errorOf } from './platform.ts'

const SCOPES = 'community:read community:write library:read library:write offline_access'
const crash: Input<'bugs.create'> = { title: 'Crash', description: 'It stops on start', severity: 'high' }
const org = { name: 'Release notes', goal: 'Write what changed.', roles: [{ id: 'editor' }] }

/** A client with the tokens of a mailed code. */
async function claimed(world: World, fetch?: (url: string, init: RequestInit) => Promise<Response>) {
  await world.alice.account()
  const account = { url: world.dependencies.config.baseUrl, email: world.alice.email, clientId: AGENT }
  await requestCode({ ...account, scope: SCOPES })
  const code = await oauthClient(world).code(world.alice.email)
  const tokens = memoryTokens(await redeemCode({ ...account, code }))
  return { guildhall: createClient({ url: account.url, tokens, fetch }), tokens, account }
}

/** The browser of a person who agrees, or does not: it follows the address and then the answer. */
function browserOf(world: World, accept = true) {
  return async (address: string) => {
    const client = oauthClient(world)
    const { to } = await client.authorize(world.alice, new URL(address).searchParams)
    const callback = await client.decide(world.alice, to!, accept)
    // What is not the answer leaves the sign-in waiting.
    assert.equal((await fetch(new URL('/callback?state=wrong&code=x', callback))).status, 404)
    assert.equal((await fetch(new URL('/favicon.ico', callback))).status, 404)
    assert.equal((await fetch(callback)).status, 200)
  }
}

/** These tokens as if they would expire now. */
async function expire(store: TokenStore): Promise<Tokens> {
  const tokens = { ...(await store.read())!, expiresAt: new Date(Date.now() - 1000).toISOString() }
  await store.write(tokens)
  return tokens
}

onEngines('the client library', (open) => {
  const on = (sentence: string, body: (world: World, folder: string) => Promise<void>) =>
    it(sentence, async (t) => {
      const folder = await temporaryDirectory(t)
      await listening(t, (world) => body(world, folder), { open })
    })

  on('tells a write that waits for a yes from one that is made', async (world) => {
    const { accessToken: token } = await operatorsAgent(world, world.alice)
    const guildhall = createClient({ url: world.dependencies.config.baseUrl, token })
    const [grant] = (await world.alice.signIns.list()).items
    await world.alice.signIns.update({ id: grant?.id ?? '', bounds: { ask: ['posts'] } })
    const error = await errorOf(guildhall.bugs.create(crash))
    assert.ok(error instanceof WaitingError)
    assert.deepEqual([error.status, error.code], [202, 'waiting'])
    assert.match(error.message, /waits for the yes/)
    assert.equal((await guildhall.pendingActs.get({ id: error.pendingId })).state, 'waiting')
    await world.alice.pendingActs.approve({ id: error.pendingId })
    assert.equal((await guildhall.pendingActs.get({ id: error.pendingId })).state, 'made')
    const failure = failureOf(error)
    assert.deepEqual([failure.exitCode, failure.details], [5, { pendingId: error.pendingId }])
  })

  on('files, reads, votes, comments and lists', async (world) => {
    const { guildhall } = await claimed(world)
    const created: Output<'bugs.create'> = await guildhall.bugs.create(crash)
    const bug: Bug = created
    for (let n = 1; n < 5; n++) await guildhall.bugs.create({ ...crash, title: `Crash ${n}` })
    assert.deepEqual(await guildhall.bugs.vote({ id: bug.id, value: 1 }), { score: 1, myVote: 1 })
    await guildhall.bugs.comment({ id: bug.id, body: 'Again' })
    const titles: string[] = []
    for await (const { title } of guildhall.bugs.all({ status: 'open', per_page: 2 })) titles.push(title)
    assert.deepEqual(titles, ['Crash 4', 'Crash 3', 'Crash 2', 'Crash 1', 'Crash'])
    for await (const comment of guildhall.bugs.comments.all({ id: bug.id })) assert.equal(comment.body, 'Again')
    assert.equal((await guildhall.library.me()).user.email, world.alice.email)
  })

  on('tells what the server refused', async (world) => {
    const { guildhall, account } = await claimed(world)
    const failed = (promise: Promise<unknown>) => errorOf<GuildhallError>(promise)
    const missing = await failed(guildhall.bugs.get({ id: 'none' }))
    assert.deepEqual([missing.status, missing.code], [404, 'not_found'])
    assert.match(missing.requestId!, /^[\w-]{20,}$/)
    assert.equal((await failed(guildhall.bugs.create({ ...crash, title: '' }))).code, 'invalid_request')
    assert.equal((await failed(guildhall.admin.listUsers())).code, 'forbidden')
    assert.equal((await failed(guildhall.library.get({ id: 'none' }))).code, 'not_found')
    const anonymous = createClient({ url: account.url })
    assert.equal((await failed(anonymous.profile.me())).code, 'unauthorized')
    const { access_token } = await oauthClient(world).signIn(world.bob, { clientId: AGENT, scope: 'community:read' })
    const reader = createClient({ url: account.url, token: access_token })
    assert.equal((await failed(reader.bugs.create(crash))).code, 'insufficient_scope')
    for (let n = 0; n < 3; n++) await requestCode({ ...account, scope: 'community:read' })
    const limited = await failed(requestCode({ ...account, scope: 'community:read' }))
    assert.deepEqual([limited.status, limited.code], [429, 'rate_limited'])
    assert.ok(limited.retryAfterSeconds! > 0)
    await world.admin.admin.block({ id: (await world.alice.account()).id, blocked: true })
    assert.ok((await errorOf(guildhall.posts.create({ title: 'a', body: 'b' }))) instanceof SignInEndedError)
  })

  on('publishes from a blob, bytes and a stream, and downloads what was published', async (world, folder) => {
    const { guildhall } = await claimed(world)
    const bytes = new TextEncoder().encode(JSON.stringify(org))
    const stream = () =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
          controller.close()
        },
      })
    const item = await guildhall.library.publish({ kind: 'org', visibility: 'public', file: new Blob([bytes]) })
    const contents = [bytes, stream(), { content: stream(), name: 'org.json', type: 'application/json' }]
    for (const file of contents) await guildhall.library.publishVersion({ id: item.id, file })
    const versions = []
    for await (const { version } of guildhall.library.versions.all({ id: item.id, per_page: 2 })) versions.push(version)
    assert.deepEqual(versions, ['1.0.3', '1.0.2', '1.0.1', '1.0.0'])
    const download = await guildhall.library.download({ id: item.id, version: '1.0.1' })
    assert.deepEqual([download.version, download.size, download.sha256], ['1.0.1', bytes.length, item.sha256])
    assert.equal(
      createHash('sha256')
        .update(await download.bytes())
        .digest('hex'),
      item.sha256,
    )
    const path = join(folder, 'org.json')
    await saveDownload(await guildhall.library.findDownload({ kind: 'org', slug: item.slug }), path)
    assert.deepEqual(await readFile(path), Buffer.from(bytes))
    const again = await guildhall.library.download({ id: item.id }, { ifNoneMatch: download.etag })
    assert.equal(again.notModified, true)
  })

  on('takes no more of a stream than the operation does', async (world) => {
    const { guildhall } = await claimed(world)
    let read = 0
    async function* endless() {
      for (;;) {
        read++
        yield new Uint8Array(1_000_000)
      }
    }
    await assert.rejects(guildhall.avatars.set({ avatar: endless() }), /InputError: The stream has more than \d+ bytes/)
    assert.ok(read < 5)
  })

  on('reads an inbox in both directions, and its events as they come', async (world) => {
    const { guildhall } = await claimed(world)
    const { id } = await guildhall.bugs.create(crash)
    const controller = new AbortController()
    const counts: string[] = []
    for await (const { event, data } of guildhall.notifications.stream({}, { signal: controller.signal })) {
      assert.equal(event, 'unread')
      counts.push(data)
      if (data === '0') for (const body of ['One', 'Two', 'Three']) await world.bob.bugs.comment({ id, body })
      if (data === '3') break
      await world.app.deliver()
    }
    assert.deepEqual([counts[0], counts.at(-1)], ['0', '3'])
    const inbox = async (input: Input<'notifications.list'>) => {
      const excerpts: string[] = []
      for await (const { excerpt } of guildhall.notifications.all({ ...input, per_page: 2 })) excerpts.push(excerpt)
      return excerpts
    }
    assert.deepEqual(await inbox({}), ['Three', 'Two', 'One'])
    assert.deepEqual(await inbox({ after: '0' }), ['One', 'Two', 'Three'])
  })

  on('keeps its tokens fresh, and tells when they are revoked', async (world) => {
    const { guildhall, tokens, account } = await claimed(world)
    const old = await expire(tokens)
    await Promise.all(Array.from({ length: 8 }, () => guildhall.profile.me()))
    const fresh = (await tokens.read())!
    assert.notEqual(fresh.refreshToken, old.refreshToken)
    assert.ok(Date.parse(fresh.expiresAt!) > Date.now() + 3_500_000)
    await signOut(tokens)
    assert.equal(await tokens.read(), undefined)
    const gone = createClient({ url: account.url, tokens: memoryTokens(fresh) })
    assert.ok((await errorOf(gone.profile.me())) instanceof SignInEndedError)
  })

  on('loses no sign-in when the answer to a refresh is lost', async (world) => {
    let isLost = false
    const { guildhall, tokens } = await claimed(world, async (url, init) => {
      const response = await fetch(url, init)
      if (!url.endsWith('/oauth2/token') || isLost) return response
      isLost = true
      throw new TypeError('terminated')
    })
    await expire(tokens)
    assert.equal((await guildhall.profile.me()).name, 'alice')
    assert.equal(isLost, true)
  })

  on('signs in with the browser of the person, and not if they do not agree', async (world, folder) => {
    const url = world.dependencies.config.baseUrl
    const { clientId } = await registerClient({ url, name: 'My tool', redirectUris: ['http://127.0.0.1/callback'] })
    const signIn = { url, clientId, scope: SCOPES, signal: AbortSignal.timeout(120_000) }
    const tokens = fileTokens(join(folder, 'tokens.json'))
    await tokens.write(await signInWithBrowser({ ...signIn, open: browserOf(world) }))
    const guildhall: Client = createClient({ url, tokens })
    assert.equal((await guildhall.profile.me()).name, 'alice')
    const refused = await errorOf<SignInError>(signInWithBrowser({ ...signIn, open: browserOf(world, false) }))
    assert.ok(refused instanceof SignInError)
    assert.equal(refused.code, 'access_denied')
    const controller = new AbortController()
    const open = () => controller.abort(new Error('Enough'))
    await assert.rejects(signInWithBrowser({ ...signIn, signal: controller.signal, open }), /Enough/)
  })

  on('takes no answer of another server or of another sign-in', async (world) => {
    const url = world.dependencies.config.baseUrl
    const pending = {
      url,
      clientId: AGENT,
      redirectUri: 'http://127.0.0.1/callback',
      scope: SCOPES,
      state: 's-1',
      verifier: 'v'.repeat(43),
    }
    const codeFor = async (query: string) =>
      (await errorOf<SignInError>(finishSignIn(pending, `http://127.0.0.1/callback?${query}`))).code
    assert.equal(await codeFor('code=c&state=s-2'), 'wrong_state')
    assert.equal(await codeFor('code=c'), 'wrong_state')
    assert.equal(await codeFor('code=c&state=s-1&iss=https://other.example'), 'wrong_issuer')
    const issuer = encodeURIComponent(`${url}/api/auth`)
    const error = await errorOf(finishSignIn(pending, `http://127.0.0.1/callback?code=c&state=s-1&iss=${issuer}`))
    assert.ok(error instanceof SignInEndedError, String(error))
  })
})
