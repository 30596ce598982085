// Writes of agents by tools: with a key they are made once, and as dry runs not at all.
import assert from 'node:assert/strict'
import { onEveryEngine } from '../world.ts'
import { callTool, eras, tokenOf } from './caller.ts'

const bug = { title: 'Crash', description: 'On start', severity: 'high' }

onEveryEngine('a tool that writes', (it) => {
  it('is made once with a key, also by call_operation, and says that it was done before', async (world) => {
    const { app, alice, db } = world
    const token = await tokenOf(world, alice)
    for (const era of eras) {
      const given = { ...bug, idempotencyKey: `k-${era}` }
      const first = await callTool(app, 'create_bug', given, { token, era })
      const again = await callTool(app, 'create_bug', given, { token, era })
      assert.deepEqual(again.structuredContent, first.structuredContent)
      assert.match(again.content.at(-1)?.text ?? '', /done before/)
      const called = { name: 'bugs.create', input: bug, idempotencyKey: `k-${era}` }
      const third = await callTool(app, 'call_operation', called, { token, era })
      assert.deepEqual(third.structuredContent, first.structuredContent)
      const other = await callTool(app, 'create_bug', { ...given, title: 'Other' }, { token, era })
      assert.deepEqual([other.isError, /was used for another request/.test(other.content[0]?.text ?? '')], [true, true])
    }
    assert.equal((await db.selectFrom('bug').select('id').execute()).length, eras.length)
  })

  it('is only tried by dryRun, and says so', async (world) => {
    const { app, alice, db } = world
    const token = await tokenOf(world, alice)
    const tried = await callTool(app, 'create_bug', { ...bug, dryRun: true }, { token })
    assert.equal(tried.structuredContent?.['title'], 'Crash')
    assert.match(
      tried.content.at(-1)?.text ?? '',
      /nothing was kept. It would cause: notifications=0, webhooks=0, mails=0, audit=0/,
    )
    const called = { name: 'posts.create', input: { title: 'T', body: 'B' }, dryRun: true }
    assert.equal((await callTool(app, 'call_operation', called, { token })).isError, undefined)
    for (const table of ['bug', 'post'] as const) {
      assert.deepEqual(await db.selectFrom(table).select('id').execute(), [])
    }
  })

  it('refuses what is no key and no choice', async (world) => {
    const token = await tokenOf(world, world.alice)
    for (const wrong of [{ idempotencyKey: '' }, { idempotencyKey: 'a b' }, { idempotencyKey: 7 }, { dryRun: 'yes' }]) {
      const { isError } = await callTool(world.app, 'create_bug', { ...bug, ...wrong }, { token })
      assert.equal(isError, true, JSON.stringify(wrong))
    }
    assert.deepEqual(await world.db.selectFrom('bug').select('id').execute(), [])
  })
})
