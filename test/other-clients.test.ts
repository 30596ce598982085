// Clients that others wrote work with an instance, as they come from the registry of packages and at these versions: they find and install what
// everybody sees, and what is private where they can send a token. Those of vendors go as far as they do without an account of the vendor; they are
// large, so they are asked for: `TEST_BIG_CLIENTS=on npm run test:deploy -- test/other-clients.test.ts`.
import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { api } from '../src/api.ts'
import { connect } from '../src/surfaces/client.ts'
import { CookieJar } from './cookies.ts'
import { serverFile } from './mcp-registry.ts'
import { type Installed, installClients } from './other-clients.ts'
import { freePort, startServer, withData, withFolder } from './server.ts'
import { skillFile, skillFiles, skillText, zipOf } from './skills.ts'

const CLAWHUB = 'clawhub@0.23.3'
const AI_SDK = '@ai-sdk/mcp@2.0.99'
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0'
const CLAUDE = '@anthropic-ai/claude-code@2.1.328'
const CODEX = '@openai/codex@0.169.0'
const COPILOT = '@github/copilot@1.0.102'

interface Place {
  url: string
  token: string
  clients: Installed
}

/** An instance with a public and a private skill and a token of their owner, and clients beside it. */
async function withClients(packages: readonly string[], run: (place: Place) => Promise<void>) {
  const clients = await installClients(packages)
  try {
    await withData(async (data) => {
      const port = String(await freePort())
      const url = `http://127.0.0.1:${port}`
      const server = await startServer({ DATA_DIR: data, BASE_URL: url, PORT: port })
      try {
        await run({ url, clients, token: await fill(url) })
      } finally {
        await server.end('SIGTERM')
      }
    })
  } finally {
    await clients.remove()
  }
}

async function fill(url: string): Promise<string> {
  const jar = new CookieJar()
  const alice = connect(api, { baseUrl: url, fetch: async (request) => jar.take(await fetch(jar.give(request))) })
  await alice.accounts.signUp({ name: 'Alice', email: 'alice@example.com', password: 'correct horse battery' })
  await alice.library.publish({ kind: 'skill', file: skillFile(), visibility: 'public' })
  const own = zipOf(skillFiles({ name: 'own-tools' }))
  await alice.library.publish({ kind: 'skill', file: skillFile(own, 'own-tools.zip'), visibility: 'private' })
  await alice.library.publish({ kind: 'mcp-server', file: serverFile(), visibility: 'public' })
  const { token } = await alice.personalTokens.create({ name: 'Clients', scopes: ['library:read', 'community:read'] })
  return token
}

const PUBLIC = { kind: 'skill', slug: 'pdf-tools' }
const PRIVATE = { kind: 'skill', slug: 'own-tools' }

describe('clients of others', () => {
  it('clawhub finds and installs what everybody sees, and what is private with a token', () =>
    withClients([CLAWHUB], async ({ url, token, clients }) =>
      withFolder(async (home) => {
        const clawhub = (...args: string[]) =>
          clients.run('clawhub/bin/clawdhub.js', ['--no-input', '--site', url, ...args], { home })
        assert.match((await clawhub('search', 'pdf')).output, /pdf-tools v1\.0\.0/)
        assert.doesNotMatch((await clawhub('search', 'own')).output, /own-tools/)
        const installed = await clawhub('install', 'pdf-tools')
        assert.match(installed.output, /Installed pdf-tools v1\.0\.0/)
        assert.equal(await readFile(join(home, 'skills/pdf-tools/SKILL.md'), 'utf8'), skillText())
        assert.match((await clawhub('install', 'own-tools')).output, /No such item/)
        const login = await clawhub('login', '--token', token)
        assert.match(login.output, /OK\. Logged in/)
        assert.notEqual((await clawhub('login', '--token', `${token.slice(0, -4)}xxxx`)).code, 0)
        assert.match((await clawhub('install', 'own-tools')).output, /Installed own-tools v1\.0\.0/)
        assert.equal(await readFile(join(home, 'skills/own-tools/SKILL.md'), 'utf8'), skillText({ name: 'own-tools' }))
        assert.match((await clawhub('update', '--all')).output, /pdf-tools up to date/)
      }),
    ))

  it("@ai-sdk/mcp and MCP Inspector's command line list tools and read items, private ones with a token", () =>
    withClients([AI_SDK, INSPECTOR], async ({ url, token, clients }) =>
      withFolder(async (home) => {
        const program = join(clients.folder, 'ai.js')
        await writeFile(program, AI_PROGRAM)
        const ai = (item: object, ...more: string[]) =>
          clients.run('../ai.js', [`${url}/api/mcp`, JSON.stringify(item), ...more], { home })
        const inspector = async (item: Record<string, string>, ...more: string[]) => {
          const named = Object.entries(item).flatMap(([name, value]) => ['--tool-arg', `${name}=${value}`])
          const asked = ['--method', 'tools/call', '--tool-name', 'get_library_item', ...named, ...more]
          const path = '@modelcontextprotocol/inspector/clients/launcher/build/index.js'
          return clients.run(path, ['--cli', `${url}/api/mcp`, '--transport', 'http', ...asked], { home })
        }
        const header = ['--header', `Authorization: Bearer ${token}`]
        for (const [given, more] of [
          [ai, [token]],
          [inspector, header],
        ] as const) {
          assert.match((await given(PUBLIC)).output, /Splits and joins PDF files/)
          assert.doesNotMatch((await given(PRIVATE)).output, /Splits and joins/)
          assert.match((await given(PRIVATE, ...more)).output, /Splits and joins PDF files/)
        }
      }),
    ))

  it(
    'Claude Code connects with a token, and installs plugins of the marketplace by both of its addresses',
    {
      skip: process.env['TEST_BIG_CLIENTS'] !== 'on',
    },
    () =>
      withClients([CLAUDE], async ({ url, token, clients }) =>
        withFolder(async (home) => {
          const env = {
            DISABLE_TELEMETRY: '1',
            DISABLE_AUTOUPDATER: '1',
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          }
          const claude = (...args: string[]) =>
            clients.run('@anthropic-ai/claude-code-linux-x64/claude', args, { home, env, plain: true })
          const header = ['--header', `Authorization: Bearer ${token}`]
          await claude('mcp', 'add', '--transport', 'http', 'guildhall', `${url}/api/mcp`, ...header)
          assert.match((await claude('mcp', 'list')).output, /guildhall: .* Connected/)
          const name = await marketplaceOf(url)
          for (const place of ['/.claude-plugin/marketplace.json', '/marketplace.git']) {
            const added = await claude('plugin', 'marketplace', 'add', url + place)
            assert.match(added.output, /Successfully added marketplace/)
            for (const plugin of [PLUGIN, await serverPluginOf(url)])
              assert.match((await claude('plugin', 'install', `${plugin}@${name}`)).output, /Successfully installed/)
            assert.equal(await installedSkill(home), skillText())
            assert.match((await claude('mcp', 'list')).output, /plugin:mcp-server-\S+:weather/)
            await claude('plugin', 'marketplace', 'remove', name)
          }
        }),
      ),
  )

  it(
    'Codex and Copilot keep the server, and install plugins of the marketplace',
    {
      skip: process.env['TEST_BIG_CLIENTS'] !== 'on',
    },
    () =>
      withClients([CODEX, COPILOT], async ({ url, token, clients }) =>
        withFolder(async (home) => {
          const codex = (...args: string[]) =>
            clients.run('@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex', args, {
              home,
              plain: true,
            })
          const copilot = (...args: string[]) =>
            clients.run('@github/copilot-linux-x64/copilot', args, { home, plain: true })
          await codex('mcp', 'add', 'guildhall', '--url', `${url}/api/mcp`, '--bearer-token-env-var', 'GUILDHALL_TOKEN')
          assert.match((await codex('mcp', 'list')).output, /guildhall .*enabled +Bearer token/)
          const header = ['--header', `Authorization: Bearer ${token}`]
          await copilot('mcp', 'add', 'guildhall', '--transport', 'http', ...header, `${url}/api/mcp`)
          assert.match((await copilot('mcp', 'list')).output, /guildhall \(http\)/)
          const name = await marketplaceOf(url)
          for (const [client, install] of [
            [codex, 'add'],
            [copilot, 'install'],
          ] as const) {
            const added = await client('plugin', 'marketplace', 'add', `${url}/marketplace.git`)
            assert.match(added.output, /Added marketplace|added successfully/)
            for (const plugin of [PLUGIN, await serverPluginOf(url)]) {
              assert.equal((await client('plugin', install, `${plugin}@${name}`)).code, 0)
              assert.match((await client('plugin', 'list')).output, new RegExp(`${plugin}@${name}.*1\\.0\\.0`))
            }
            assert.match((await client('mcp', 'list')).output, /weather/)
          }
          assert.equal(await installedSkill(home), skillText())
        }),
      ),
  )
})

const PLUGIN = 'skill-pdf-tools'

interface Marketplace {
  name: string
  plugins: { name: string }[]
}

const listOf = async (url: string) =>
  (await (await fetch(`${url}/.claude-plugin/marketplace.json`)).json()) as Marketplace
const marketplaceOf = async (url: string) => (await listOf(url)).name
const serverPluginOf = async (url: string) =>
  (await listOf(url)).plugins.map(({ name }) => name).find((name) => name.startsWith('mcp-server-')) ?? ''

/** The text of the skill as a client has it; each one that is below its home is the same. */
async function installedSkill(home: string): Promise<string> {
  const paths = (await readdir(home, { recursive: true })).filter((path) => path.endsWith('skills/pdf-tools/SKILL.md'))
  const texts = new Set(await Promise.all(paths.map((path) => readFile(join(home, path), 'utf8'))))
  assert.equal(texts.size, 1)
  return [...texts].join()
}

const AI_PROGRAM = `
import { createMCPClient } from '@ai-sdk/mcp'
const [url, item, token] = process.argv.slice(2)
const headers = token ? { Authorization: 'Bearer ' + token } : {}
const client = await createMCPClient({ transport: { type: 'http', url, headers } })
const { get_library_item: tool } = await client.tools()
console.log(JSON.stringify(await tool.execute(JSON.parse(item), { toolCallId: '1', messages: [] })))
await client.close()
`
