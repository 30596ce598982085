// A client that nobody here wrote: the SDK's own goes from 401 to a tool's result by itself, a person's consent being all
// the help it gets.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createApp } from '../../src/app.ts'
import { structureOf } from '../../src/surfaces/mcp/schema.ts'
import { sqliteDatabase } from '../databases.ts'
import { freePort } from '../server.ts'
import { makeWorld, type World } from '../world.ts'
import { callWithConsent, connectTo } from './sdk-client.ts'
import { serve } from './serve.ts'

async function onPort(use: (world: World, url: string) => Promise<void>): Promise<void> {
  const database = await sqliteDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-mcp-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const world = await makeWorld(database, { BASE_URL: url, BLOB_URL: `file:${folder}` })
  const server = await serve(createApp(world.dependencies), port)
  try {
    await use(world, url)
  } finally {
    await server.close()
    await database.remove()
    await rm(folder, { recursive: true })
  }
}

const BUG = { title: 'Crash', description: 'On start', severity: 'high' }

describe('a client of MCP', () => {
  for (const mode of ['legacy', 'auto'] as const) {
    it(`gets from 401 to a filed bug with a person's consent alone (${mode})`, () =>
      onPort(async (world, url) => {
        await world.alice.profile.setUsername({ username: 'alice' })
        const connected = await connectTo(url, mode)
        assert.ok((await connected.client.listTools()).tools.length > 13)
        const read = await connected.client.callTool({ name: 'get_feed', arguments: {} })
        assert.deepEqual(read.structuredContent, structureOf({ items: [], hasMore: false }))
        const filed = await callWithConsent({ world, person: world.alice }, connected, {
          name: 'create_bug',
          input: BUG,
        })
        assert.equal((filed.structuredContent as { title: string }).title, 'Crash')
        const [bug] = (await world.anonymous.bugs.list()).items
        assert.equal(bug!.authorUsername, 'alice')
        await connected.client.close()
      }))
  }

  it('writes and publishes after what_is_new with one consent, and refreshes', () =>
    onPort(async (world, url) => {
      await world.alice.profile.setUsername({ username: 'alice' })
      const connected = await connectTo(url, 'auto')
      await callWithConsent({ world, person: world.alice }, connected, { name: 'what_is_new', input: {} })
      const { refresh_token: refreshToken = '' } = connected.memory.tokens() ?? {}
      assert.ok(refreshToken)
      connected.memory.askedAt = undefined
      const filed = await connected.client.callTool({ name: 'create_bug', arguments: BUG })
      assert.equal((filed.structuredContent as { title: string }).title, 'Crash')
      const file = { filename: 'w.json', content: readFileSync('test/fixtures/workflow-morning-digest.json', 'utf8') }
      const input = { kind: 'workflow', visibility: 'private', file }
      assert.ok(!(await connected.client.callTool({ name: 'publish_library_item', arguments: input })).isError)
      assert.equal(connected.memory.askedAt, undefined)
      await connected.client.close()
    }))

  it('steps up when a tool needs a scope that its token does not have', () =>
    onPort(async (world, url) => {
      await world.alice.profile.setUsername({ username: 'alice' })
      const connected = await connectTo(url, 'auto')
      // The person leaves a scope out.
      const left = 'community:read community:write offline_access'
      await callWithConsent({ world, person: world.alice, left }, connected, { name: 'create_bug', input: BUG })
      const file = { filename: 'w.json', content: readFileSync('test/fixtures/workflow-morning-digest.json', 'utf8') }
      const input = { kind: 'workflow', visibility: 'public', file }
      const result = await callWithConsent({ world, person: world.alice }, connected, {
        name: 'publish_library_item',
        input: input,
      })
      assert.match(connected.memory.askedAt!.searchParams.get('scope')!, /library:write/)
      const { id } = result.structuredContent as { id: string }
      assert.equal((await world.anonymous.library.get({ id })).kind, 'workflow')
      await connected.client.close()
    }))
})
