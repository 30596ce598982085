// What agents read to find their way is true: every address in it answers, and its commands do what they say.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import { api } from '../src/api.ts'
import { sqliteDatabase } from './databases.ts'
import { ask } from './mcp/caller.ts'
import { serve } from './mcp/serve.ts'
import { oauthClient } from './oauth.ts'
import { freePort } from './server.ts'
import { BASE_URL, makeWorld, onEveryEngine, type World } from './world.ts'

const documents: Readonly<Record<string, RegExp>> = {
  '/llms.txt': /^text\/plain/,
  '/auth.md': /^text\/markdown/,
  '/.well-known/agent-skills/guildhall/SKILL.md': /^text\/markdown/,
  '/.well-known/agent-skills/index.json': /^application\/json/,
  '/.well-known/api-catalog': /^application\/linkset\+json/,
  '/.well-known/ai-catalog.json': /^application\/ai-catalog\+json/,
  '/.well-known/mcp/server-card.json': /^application\/mcp-server-card\+json/,
  '/api/mcp/server-card': /^application\/mcp-server-card\+json/,
  '/.well-known/mcp/server.json': /^application\/json/,
  '/api/openapi.json': /^application\/json/,
  '/schemas/org/v1.json': /^application\/schema\+json/,
  '/schemas/workflow/v1.json': /^application\/schema\+json/,
  '/schemas/automation/v1.json': /^application\/schema\+json/,
}

/** Names of things, which are no pages: where paths begin, and the issuer. */
const identifiers = ['/api', '/api/auth']

const get = ({ app }: World, path: string, init?: RequestInit) =>
  Promise.resolve(app.fetch(new Request(`${BASE_URL}${path}`, init)))

onEveryEngine('what describes Guildhall to machines', (it) => {
  it('is there for reading, from anywhere, in its own type', async (world) => {
    for (const [path, type] of Object.entries(documents)) {
      const answer = await get(world, path)
      assert.equal(answer.status, 200, path)
      assert.match(answer.headers.get('content-type')!, type, path)
      assert.equal(answer.headers.get('access-control-allow-origin'), '*', path)
      const head = await get(world, path, { method: 'HEAD' })
      assert.equal(head.status, 200, path)
      assert.equal(await head.text(), '', path)
      assert.equal((await get(world, path, { method: 'POST' })).status, 405, path)
      const preflight = await get(world, path, { method: 'OPTIONS' })
      assert.equal(preflight.status, 204, path)
      assert.match(preflight.headers.get('access-control-allow-methods')!, /GET/, path)
      const etag = answer.headers.get('etag')!
      const again = await get(world, path, { headers: { 'If-None-Match': etag } })
      assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', etag], path)
      assert.equal((await get(world, path, { headers: { 'If-None-Match': '"another"' } })).status, 200, path)
    }
  })

  it('says in a header that the API catalog is one (RFC 9727, 2)', async (world) => {
    const { headers } = await get(world, '/.well-known/api-catalog', { method: 'HEAD' })
    assert.equal(headers.get('link'), `<${BASE_URL}/.well-known/api-catalog>; rel="api-catalog"`)
  })

  it('begins with a page whose links all answer', async (world) => {
    const answer = await get(world, '/')
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type')!, /^text\/html/)
    const links = [...(await answer.text()).matchAll(/<a href="([^"]+)"/g)].map(([, link]) => link!)
    assert.ok(links.length > 5)
    for (const link of links) assert.equal((await get(world, link)).status, 200, link)
  })

  it('names only addresses that answer', async (world) => {
    for (const path of Object.keys(documents).filter((path) => path !== '/api/openapi.json')) {
      const text = await (await get(world, path)).text()
      const named = new Set(
        [...text.matchAll(/http:\/\/localhost:3000(\/[^\s"')`<>]*)/g)].map(([, found]) => found!.replace(/[.,:]$/, '')),
      )
      for (const address of named) {
        const answers = await Promise.all([get(world, address), get(world, address, { method: 'POST' })])
        const found = identifiers.includes(address) || answers.some(({ status }) => status !== 404)
        assert.ok(found, `${path} names ${address}`)
      }
    }
  })

  it('has an index of skills with the hash of what is behind it', async (world) => {
    const index = (await (await get(world, '/.well-known/agent-skills/index.json')).json()) as {
      skills: { url: string; digest: string; description: string }[]
    }
    const [skill] = index.skills
    const text = await (await get(world, new URL(skill!.url).pathname)).text()
    assert.equal(skill!.digest, `sha256:${createHash('sha256').update(text).digest('hex')}`)
    const [, frontmatter = ''] = /^---\n(.*?)\n---\n/s.exec(text) ?? []
    const { name, description } = parse(frontmatter) as { name: string; description: string }
    assert.deepEqual({ name, description }, { name: 'guildhall', description: index.skills[0]!.description })
    assert.ok(description.length <= 1024, description)
  })

  it('tells of tools, operations and scopes that there are', async (world) => {
    const skill = await (await get(world, '/.well-known/agent-skills/guildhall/SKILL.md')).text()
    const rows = [...skill.matchAll(/^\| (?!asked|---).*? \| (.*?) \| (.*?) \|$/gm)]
    const tools = rows.flatMap(([, tools]) => [...tools!.matchAll(/[a-z]+_[a-z_]+/g)].map(String))
    const { messages } = await ask(world.app, 'tools/list', {}, { headers: { 'MCP-Tools': 'all' } })
    const known = (messages[0]!.result as unknown as { tools: { name: string }[] }).tools.map(({ name }) => name)
    assert.ok(tools.length > 15)
    assert.deepEqual(
      tools.filter((tool) => !known.includes(tool)),
      [],
    )
    const operations = Object.values(api).flatMap((contract) =>
      Object.values(contract).map(({ method, path }) => `${method} ${path}`),
    )
    for (const [, , rest] of rows) {
      const [operation] = rest!.match(/^[A-Z]+ \/[^ ?]*/) ?? []
      if (operation) assert.ok(operations.includes(operation), operation)
    }
    const auth = await (await get(world, '/auth.md')).text()
    const resource = await get(world, '/.well-known/oauth-protected-resource')
    const { scopes_supported: scopes } = (await resource.json()) as { scopes_supported: string[] }
    const told = [...auth.matchAll(/^\| ([a-z_:]+) \|/gm)].map(([, scope]) => scope!).filter((name) => name !== 'scope')
    assert.deepEqual(told.sort(), [...scopes, 'offline_access'].sort())
  })

  it('points from a refused call to where a token comes from', async (world) => {
    const refused = await get(world, '/api/community/me')
    const [, address] = refused.headers.get('www-authenticate')!.match(/resource_metadata="([^"]+)"/)!
    const metadata = (await (await get(world, new URL(address!).pathname)).json()) as {
      authorization_servers: string[]
    }
    assert.deepEqual(metadata.authorization_servers, [`${BASE_URL}/api/auth`])
  })
})

/** Runs a command as a shell would, and gives what it printed as JSON. */
async function shell(command: string, env: Record<string, string>): Promise<Record<string, string>> {
  const child = spawn('sh', ['-c', command], { env: { ...process.env, ...env } })
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  await new Promise((resolve) => child.once('exit', resolve))
  return output === '' ? {} : (JSON.parse(output) as Record<string, string>)
}

/** What runs on a port of its own, with an account. */
async function onPort(run: (world: World, url: string) => Promise<void>): Promise<void> {
  const database = await sqliteDatabase()
  const port = await freePort()
  const world = await makeWorld(database, { BASE_URL: `http://localhost:${port}` })
  const server = await serve(world.app, port)
  try {
    await world.alice.account()
    await run(world, server.url)
  } finally {
    await server.close()
    await database.remove()
  }
}

const commandsIn = (text: string): string[] =>
  [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command]) => command!)

describe('llms.txt', () => {
  it('leads to a first write in four requests, itself the first', () =>
    onPort(async (world, url) => {
      const text = await (await fetch(`${url}/llms.txt`)).text()
      const commands = commandsIn(text)
      assert.equal(commands.length, 3)
      assert.equal(commands.join('').match(/curl /g)?.length, 3)
      const [claim, verify, write] = commands as [string, string, string]
      const EMAIL = world.alice.email
      assert.match((await shell(claim, { EMAIL }))['message']!, /./)
      const CODE = await oauthClient(world).code(EMAIL)
      const { access_token: TOKEN = '' } = await shell(verify, { EMAIL, CODE })
      const { id = '' } = await shell(write, { TOKEN })
      assert.equal((await world.alice.posts.get({ id })).title, 'Hello')
    }))
})

describe('auth.md', () => {
  it('has commands that lead from nothing to a token, and back', () =>
    onPort(async (world, url) => {
      const text = await (await fetch(`${url}/auth.md`)).text()
      const commands = commandsIn(text)
      const [register, , claim, verify, use, refresh, revoke] = commands as [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
      ]
      const { client_id = '' } = await shell(register, {})
      assert.match(client_id, /./)
      const init = { method: 'POST', body: new URLSearchParams({ client_id, scope: 'community:read' }) }
      const device = await fetch(`${url}/api/auth/oauth2/device_authorization`, init)
      assert.equal(device.status, 200, 'the client may ask by device, as the text says')
      const EMAIL = world.alice.email
      assert.match((await shell(claim, { EMAIL }))['message']!, /./)
      const CODE = await oauthClient(world).code(EMAIL)
      const tokens = await shell(verify, { EMAIL, CODE })
      const me = await shell(use, { TOKEN: tokens['access_token']! })
      assert.equal(me['id'], (await world.alice.account()).id)
      const next = await shell(refresh, { REFRESH_TOKEN: tokens['refresh_token']! })
      assert.match(next['access_token']!, /./)
      await shell(revoke, { NEXT_REFRESH_TOKEN: next['refresh_token']! })
      const after = await shell(use, { TOKEN: next['access_token']! })
      assert.match(JSON.stringify(after), /token/)
    }))
})
