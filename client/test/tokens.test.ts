// Tokens that stay fresh: one refresh for all, kept before they are used.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryDirectory } from '../../test/temporary.ts'
import { GuildhallError, SignInEndedError } from '../src/errors.ts'
import { fileTokens } from '../src/file-tokens.ts'
import type { Tokens } from '../src/token-endpoint.ts'
import { memoryTokens, type TokenStore } from '../src/tokens.ts'
import { answering, clientWith, errorOf, jsonAnswer, noConnection, type Sent, URL_OF_SERVER } from './platform.ts'

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

const tokensFor = (seconds: number, more: Partial<Tokens> = {}): Tokens => ({
  url: URL_OF_SERVER,
  clientId: 'monoagent',
  accessToken: 'a-0',
  refreshToken: 'r-0',
  expiresAt: inSeconds(seconds),
  ...more,
})

const me = { id: 'u', username: null, name: null, avatarUrl: null }

/** A server that knows one access token, and gives the next one for the newest refresh token alone. */
function serverOf({ revoked = false } = {}) {
  let number = 0
  const refreshes: URLSearchParams[] = []
  const used: string[] = []
  const answer = async ({ url, headers, body }: Sent): Promise<Response> => {
    if (!url.endsWith('/oauth2/token')) {
      const token = headers.get('authorization')?.slice('Bearer '.length) ?? 'none'
      used.push(token)
      return token === `a-${number}` ? jsonAnswer(200, me) : jsonAnswer(401, { error: 'Send a valid bearer token' })
    }
    const form = new URLSearchParams(body as string)
    refreshes.push(form)
    // The others come while this one waits.
    await new Promise((resolve) => setTimeout(resolve, 10))
    if (revoked || form.get('refresh_token') !== `r-${number}`)
      return jsonAnswer(400, { error: 'invalid_grant', error_description: 'Used' })
    number++
    return jsonAnswer(200, {
      access_token: `a-${number}`,
      refresh_token: `r-${number}`,
      expires_in: 3600,
      token_type: 'Bearer',
    })
  }
  const { fetch } = answering(...Array.from({ length: 100 }, () => answer))
  return { fetch, refreshes, used }
}

describe('tokens', () => {
  it('are refreshed before they expire, and not before that', async () => {
    for (const [seconds, refreshes] of [
      [70, 0],
      [55, 1],
      [-10, 1],
    ] as const) {
      const server = serverOf()
      const store = memoryTokens(
        tokensFor(seconds, { resource: 'https://guildhall.example/api/agent', scope: 'community:read' }),
      )
      const { client } = clientWith({ fetch: server.fetch, tokens: store })
      assert.deepEqual(await client.profile.me(), me)
      assert.equal(server.refreshes.length, refreshes)
      if (refreshes === 0) continue
      assert.deepEqual(Object.fromEntries(server.refreshes[0]!), {
        grant_type: 'refresh_token',
        refresh_token: 'r-0',
        client_id: 'monoagent',
        resource: 'https://guildhall.example/api/agent',
      })
      const kept = (await store.read())!
      assert.deepEqual([kept.accessToken, kept.refreshToken, kept.scope], ['a-1', 'r-1', 'community:read'])
      assert.equal(kept.resource, 'https://guildhall.example/api/agent')
    }
  })

  it('are refreshed once for all calls, of two clients with one store too', async () => {
    const server = serverOf()
    const tokens = memoryTokens(tokensFor(-10))
    const clients = [
      clientWith({ fetch: server.fetch, tokens }).client,
      clientWith({ fetch: server.fetch, tokens }).client,
    ]
    await Promise.all(Array.from({ length: 20 }, (_, n) => clients[n % 2]!.profile.me()))
    assert.equal(server.refreshes.length, 1)
    assert.ok(server.used.every((token) => token === 'a-1'))
  })

  it('are refreshed once after a 401, also for a write', async () => {
    let tried = 0
    const { fetch, requests } = answering(
      jsonAnswer(401, { error: 'Expired' }),
      jsonAnswer(200, { access_token: 'a-1', refresh_token: 'r-1', expires_in: 3600 }),
      () => {
        tried++
        return jsonAnswer(401, { error: 'Still' })
      },
    )
    const { client } = clientWith({ fetch, tokens: memoryTokens(tokensFor(600)) })
    const error = await errorOf<GuildhallError>(client.posts.create({ title: 'a', body: 'b' }))
    assert.deepEqual([error.status, tried, requests.length], [401, 1, 3])
    assert.equal(requests[2]!.headers.get('authorization'), 'Bearer a-1')
    assert.equal(requests[2]!.body, requests[0]!.body)
  })

  it('are stored before they are used', async () => {
    const order: string[] = []
    const server = serverOf()
    const memory = memoryTokens(tokensFor(-10))
    const store: TokenStore = {
      read: () => memory.read(),
      async write(tokens) {
        await new Promise((resolve) => setTimeout(resolve, 5))
        order.push(`stored ${tokens?.refreshToken}`)
        await memory.write(tokens)
      },
    }
    const fetch = (url: string, init: RequestInit) => {
      order.push(new URL(url).pathname)
      return server.fetch(url, init)
    }
    await clientWith({ fetch, tokens: store }).client.profile.me()
    assert.deepEqual(order, ['/api/auth/oauth2/token', 'stored r-1', '/api/community/me'])
  })

  it('that cannot be refreshed for now are used as long as they last', async () => {
    const failing = answering(...Array.from({ length: 4 }, noConnection), jsonAnswer(200, me))
    const { client } = clientWith({ fetch: failing.fetch, tokens: memoryTokens(tokensFor(30)) })
    assert.deepEqual(await client.profile.me(), me)
    assert.equal(failing.requests[4]!.headers.get('authorization'), 'Bearer a-0')
  })

  it('that were revoked end the sign-in, and nothing is sent', async () => {
    const server = serverOf({ revoked: true })
    const { client } = clientWith({ fetch: server.fetch, tokens: memoryTokens(tokensFor(30)) })
    const error = await errorOf<SignInEndedError>(client.posts.create({ title: 'a', body: 'b' }))
    assert.ok(error instanceof SignInEndedError)
    assert.ok(error.cause instanceof GuildhallError)
    assert.deepEqual([server.refreshes.length, server.used.length], [1, 0])
  })

  it('without a refresh token are sent until the server refuses them', async () => {
    const { refreshToken: _none, ...tokens } = tokensFor(-10)
    const { fetch, requests } = answering(jsonAnswer(401, { error: 'Expired' }))
    const { client } = clientWith({ fetch, tokens: memoryTokens(tokens) })
    assert.equal((await errorOf<GuildhallError>(client.profile.me())).status, 401)
    assert.equal(requests.length, 1)
  })

  it('are sent to no other server, and not to operations that need none', async () => {
    const { fetch, requests } = answering(jsonAnswer(200, { message: 'sent' }))
    const elsewhere = clientWith({ fetch, tokens: memoryTokens(tokensFor(600, { url: 'https://other.example' })) })
    await assert.rejects(elsewhere.client.profile.me(), /are for https:\/\/other.example/)
    assert.equal(requests.length, 0)
    const { client } = clientWith({ fetch, tokens: memoryTokens(tokensFor(600)) })
    await client.claims.claim({ email: 'a@example.com', client_id: 'monoagent' })
    assert.equal(requests[0]!.headers.get('authorization'), null)
  })

  it('that are not there make a call anonymous', async () => {
    const { fetch, requests } = answering(jsonAnswer(200, { items: [], hasMore: false }))
    await clientWith({ fetch, tokens: memoryTokens() }).client.feed.list()
    assert.equal(requests[0]!.headers.get('authorization'), null)
  })

  it('are waited for by a call until it is aborted; the refresh goes on for the others', async () => {
    const server = serverOf()
    const store = memoryTokens(tokensFor(-10))
    const { client } = clientWith({ fetch: server.fetch, tokens: store })
    const controller = new AbortController()
    const calls = [client.profile.me(undefined, { signal: controller.signal }), client.profile.me()]
    setTimeout(() => controller.abort(new Error('Enough')), 3)
    await assert.rejects(calls[0]!, /Enough/)
    assert.deepEqual(await calls[1], me)
    assert.equal(server.refreshes.length, 1)
  })
})

describe('tokens in a file', () => {
  it('can be read by their owner alone, and are replaced whole', async (t) => {
    const folder = await temporaryDirectory(t)
    const path = join(folder, 'deep', 'tokens.json')
    const store = fileTokens(path)
    assert.equal(await store.read(), undefined)
    await store.write(tokensFor(60))
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    assert.equal((await stat(join(folder, 'deep'))).mode & 0o777, 0o700)
    await store.write(tokensFor(60, { accessToken: 'a-9' }))
    assert.equal((await store.read())?.accessToken, 'a-9')
    assert.deepEqual(await readdir(join(folder, 'deep')), ['tokens.json'])
    await store.write(undefined)
    assert.equal(await store.read(), undefined)
  })

  it('are an error when the file is damaged, and not an empty store', async (t) => {
    const path = join(await temporaryDirectory(t), 'tokens.json')
    await writeFile(path, '{"acc')
    await assert.rejects(fileTokens(path).read(), SyntaxError)
  })

  it('are not held up by a lock that a lost process left', async (t) => {
    const path = join(await temporaryDirectory(t), 'tokens.json')
    await writeFile(`${path}.lock`, '')
    const old = new Date(Date.now() - 61_000)
    await utimes(`${path}.lock`, old, old)
    assert.equal(await fileTokens(path).lock!(async () => 'in'), 'in')
    assert.deepEqual(await readdir(join(path, '..')), [])
  })

  it('are refreshed once by processes that share them', async (t) => {
    const path = join(await temporaryDirectory(t), 'tokens.json')
    let refreshes = 0
    const server = createServer((request, response) => {
      const isRefresh = request.url === '/api/auth/oauth2/token'
      if (isRefresh) refreshes++
      const body = isRefresh ? { access_token: 'a-1', refresh_token: 'r-1', expires_in: 3600 } : me
      setTimeout(() => response.end(JSON.stringify(body)), isRefresh ? 200 : 0)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      await fileTokens(path).write(tokensFor(-10, { url }))
      const program = join(import.meta.dirname, 'shared-tokens.ts')
      const children = Array.from({ length: 3 }, () =>
        spawn(process.execPath, [program, url, path], { stdio: 'inherit' }),
      )
      const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]))
      assert.deepEqual(codes, [0, 0, 0])
      assert.equal(refreshes, 1)
      assert.equal(JSON.parse(await readFile(path, 'utf8')).refreshToken, 'r-1')
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })
})
