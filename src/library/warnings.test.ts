// What a publisher is told of a file that is accepted.
import assert from 'node:assert/strict'
import { automationFile, orgFile, workflowFile } from '../../test/library.ts'
import { onEveryEngine } from '../../test/world.ts'
import { MAX_WARNED_BYTES } from '../formats/warnings.ts'

onEveryEngine('warnings of a publication', (it) => {
  it('are in the response of a first and a later version, for every kind, and nowhere else', async ({ alice }) => {
    const { library } = alice
    assert.equal('warnings' in (await library.publish({ kind: 'workflow', file: workflowFile() })), false)
    const nodes = [{ id: 'a', type: 'harbour.list' }]
    const { id, warnings } = await library.publish({ kind: 'workflow', file: workflowFile({ nodes, connections: [] }) })
    const expected = '"harbour" is neither built in nor an id in automations or unbundledAutomations'
    assert.deepEqual(warnings, [{ path: 'nodes.0.type', message: expected }])
    assert.equal('warnings' in (await library.get({ id })), false)
    const again = await library.publishVersion({ id, file: workflowFile({ nodes: [{ id: 'a', type: 'core.if' }] }) })
    assert.deepEqual(again.warnings, [
      { path: 'connections.0.source', message: 'no node has the id "n1"' },
      { path: 'connections.0.target', message: 'no node has the id "n2"' },
    ])
    const org = await library.publish({ kind: 'org', file: orgFile({ roles: [{ id: 'a', reportsTo: 'b' }] }) })
    assert.deepEqual(org.warnings?.[0], { path: 'roles.0.reportsTo', message: 'is not read; reports_to is' })
    const automation = await library.publish({ kind: 'automation', file: automationFile({ actions: ['go'] }) })
    assert.deepEqual(automation.warnings, [{ path: 'actions.0', message: 'the archive has no file actions/go.json' }])
  })

  it('are told of a workflow of 1 MiB, and not of a larger one', async ({ alice }) => {
    const nodes = [{ id: 'a', type: 'harbour.list' }]
    const sized = (bytes: number) => {
      const { size } = workflowFile({ nodes, connections: [], filler: '' })
      return workflowFile({ nodes, connections: [], filler: 'x'.repeat(bytes - size) })
    }
    const told = await alice.library.publish({ kind: 'workflow', file: sized(MAX_WARNED_BYTES) })
    assert.equal(told.warnings?.length, 1)
    const untold = await alice.library.publish({ kind: 'workflow', file: sized(MAX_WARNED_BYTES + 1) })
    assert.equal('warnings' in untold, false)
  })
})
