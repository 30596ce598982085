// The protocol's own conformance suites against our endpoint and our authorization server, as their command line runs them.
// What a suite expects and Guildhall does not offer is named here with its reason; a scenario that passes all the same fails.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createApp } from '../../src/app.ts'
import { sqliteDatabase } from '../databases.ts'
import { oauthClient } from '../oauth.ts'
import { freePort } from '../server.ts'
import { makeWorld, type World } from '../world.ts'
import { suiteServer } from './fixture.ts'
import { serve } from './serve.ts'

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'

/** What a server without sessions cannot do: speak to its client before or between answers. */
const withoutSessions = [
  'tools-call-with-logging',
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'server-sse-multiple-streams',
]

/**
 * What the suite has of the extension Tasks: of its notifications it looks at nothing yet, and of tools that need a client to take tasks (McpServer
 * makes a result of that error) there is none here.
 */
const tasks = [
  ...['tasks-lifecycle', 'tasks-capability-negotiation', 'tasks-wire-fields', 'tasks-request-state-removal'],
  ...['tasks-mrtr-input', 'tasks-request-headers', 'tasks-dispatch-and-envelope', 'tasks-mrtr-composition'],
]

const notOffered: Readonly<Record<string, string[]>> = { '2025-11-25': withoutSessions, '2026-07-28': [] }

/** Runs the suites' command line; `read` gets what was printed so far, whenever there is more. */
async function run(args: string[], read?: (output: string) => void): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [SUITE, ...args])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text
      read?.(output)
    })
  }
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { code, output }
}

async function inWorld(use: (world: World, url: string, folder: string) => Promise<void>): Promise<void> {
  const database = await sqliteDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-conformance-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const world = await makeWorld(database, { BASE_URL: url, BLOB_URL: `file:${folder}` })
  const app = createApp(world.dependencies, { mcpServer: suiteServer })
  const server = await serve(app, port)
  try {
    await use(world, url, folder)
  } finally {
    await server.close()
    await database.remove()
    await rm(folder, { recursive: true })
  }
}

const summaryOf = (output: string) => output.slice(output.indexOf('=== SUMMARY ==='))

describe('the conformance suites of MCP', () => {
  for (const [revision, failing] of Object.entries(notOffered)) {
    it(`are passed by the endpoint for what ${revision} requires of a server`, () =>
      inWorld(async (_world, url, folder) => {
        const baseline = join(folder, 'expected.yaml')
        await writeFile(baseline, `server:\n${failing.map((name) => `  - ${name}\n`).join('')}`)
        const to = ['--url', `${url}/api/mcp`, '--requirements', revision, '-o', folder]
        const known = failing.length > 0 ? ['--expected-failures', baseline] : []
        const { code, output } = await run(['server', ...to, ...known])
        assert.equal(code, 0, summaryOf(output))
        assert.match(output, /✓ tools-call-simple-text: 2 passed, 0 failed/)
      }))
  }

  for (const scenario of tasks) {
    it(`are passed for the extension Tasks: ${scenario}`, () =>
      inWorld(async (_world, url, folder) => {
        const to = ['--url', `${url}/api/mcp`, '--scenario', scenario, '-o', folder]
        const { code, output } = await run(['server', ...to])
        assert.equal(code, 0, output)
        assert.match(output, /Passed: [1-9]\d*\/|[1-9]\d* passed, 0 failed/)
      }))
  }

  it('are passed by the authorization server, a person consenting', () =>
    inWorld(async (world, url, folder) => {
      const port = await freePort()
      const { register, authorize, decide } = oauthClient(world)
      const clientId = await register({ redirect_uris: [`http://127.0.0.1:${port}/callback`] })
      let asked = false
      const consent = async (output: string) => {
        const shown = output.match(/^https?:\/\/\S+oauth2\/authorize\S+$/m)?.[0]
        if (asked || !shown) return
        asked = true
        const { to } = await authorize(world.alice, new URL(shown).searchParams)
        await fetch(await decide(world.alice, to!))
      }
      const to = ['--url', `${url}/api/auth`, '--client-id', clientId, '--resource', `${url}/api/mcp`]
      const { code, output } = await run(['authorization', ...to, '-p', String(port), '-o', folder], consent)
      assert.equal(code, 0, output)
      assert.match(output, /authorization-code-grant: \d+ passed, 0 failed/)
    }))
})
