// Publishing and reading items through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { automationFile, orgFile, workflow, workflowFile } from '../../../test/library.ts'
import { onEveryEngine } from '../../../test/world.ts'

onEveryEngine('library items', (it) => {
  it('are published private, and seen by their owner alone', async ({ alice, bob, stranger }) => {
    const item = await alice.library.publish({ kind: 'workflow', file: workflowFile() })
    const { id: ownerId } = await alice.account()
    assert.equal(item.visibility, 'private')
    assert.equal(item.slug, 'morning-digest')
    assert.equal(item.name, 'Morning Digest')
    assert.equal(item.description, workflow.description)
    assert.equal(item.version, '1.0.0')
    assert.deepEqual(item.owner, { id: ownerId, username: null, name: 'alice' })
    assert.deepEqual(item.meta, {
      node_types: ['harbor-board.list_berths', 'trigger.cron'],
      trigger_types: ['trigger.cron'],
      required_automations: ['harbor-board'],
    })
    assert.equal(item.url, 'http://localhost:3000/library/workflows/morning-digest')
    assert.equal(item.artifact_url, `http://localhost:3000/api/library/items/${item.id}/artifact`)
    assert.deepEqual(await alice.library.get({ id: item.id }), item)
    assert.deepEqual(await alice.library.find({ kind: 'Workflows', slug: 'morning-digest' }), item)
    for (const other of [bob, stranger]) {
      await assert.rejects(other.library.get({ id: item.id }), { status: 404, code: 'not_found' })
      assert.equal((await other.library.list()).total, 0)
    }
    assert.equal((await alice.library.list({ scope: 'mine' })).total, 1)
    await assert.rejects(stranger.library.list({ scope: 'mine' }), { status: 401, code: 'unauthorized' })
  })

  it('of every kind come back byte for byte', async ({ alice, bob }) => {
    for (const [kind, file] of [
      ['automation', automationFile()],
      ['org', orgFile()],
      ['workflow', workflowFile()],
    ] as const) {
      const item = await alice.library.publish({ kind, file, visibility: 'public' })
      const answer = await bob.library.download({ id: item.id })
      assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), new Uint8Array(await file.arrayBuffer()))
      assert.equal(answer.headers.get('x-content-sha256'), item.sha256)
    }
  })
})
