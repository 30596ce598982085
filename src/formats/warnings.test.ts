// Warnings: what is accepted and means nothing is told, and nothing else is.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import manifest from '../../test/fixtures/automation.json' with { type: 'json' }
import invoiceDesk from '../../test/fixtures/org-invoice-desk.json' with { type: 'json' }
import minimal from '../../test/fixtures/org-minimal.json' with { type: 'json' }
import supportMesh from '../../test/fixtures/org-support-mesh.json' with { type: 'json' }
import morningDigest from '../../test/fixtures/workflow-morning-digest.json' with { type: 'json' }
import { type SchemaKind, schemaKinds } from '../contract/files.ts'
import { MAX_WARNINGS } from './warning.ts'
import { warningsOf } from './warnings.ts'

const told = (kind: SchemaKind, value: unknown, paths?: string[]) =>
  warningsOf(kind, value, paths).map(({ path, message }) => `${path}: ${message}`)

const org = (changes: object) => ({ name: 'Desk', roles: [{ id: 'lead', title: 'Lead' }, { id: 'clerk' }], ...changes })
const workflow = (changes: object) => ({ nodes: [{ id: 'a', type: 'trigger.cron' }], ...changes })

describe('warnings', () => {
  it('are none for the real files, but for the one that names a role that is not there', () => {
    assert.deepEqual(told('org', invoiceDesk), [])
    assert.deepEqual(told('org', minimal), [])
    assert.deepEqual(told('workflow', morningDigest), [])
    assert.deepEqual(told('automation', manifest), [])
    assert.deepEqual(told('automation', manifest, ['automation.json', 'actions/list_berths.json']), [])
    assert.deepEqual(told('org', supportMesh), ['roles.1.reports_to: no role has the id "nobody-here"'])
  })

  it('name fields that only resemble a known one, at any depth', () => {
    const roles = [{ id: 'lead' }, { id: 'clerk', reportsTo: 'lead', policy: { 'allow-tools': [], maxtokens: 3 } }]
    const given = org({ roles, Goal: 'x', run_config: { idleMinutes: 3, circuit_breaker: { colour: 1 } } })
    assert.deepEqual(told('org', given).sort(), [
      'Goal: is not read; goal is',
      'roles.1.policy.allow-tools: is not read; allowTools is',
      'roles.1.policy.maxtokens: is not read; maxTokens is',
      'roles.1.reportsTo: is not read; reports_to is',
      'run_config.idleMinutes: is not read; idle_minutes is',
    ])
    assert.deepEqual(
      told('org', org({ goal: 'x', Goal: 'y', goals: 'z' })),
      [],
      'beside the field itself it is another',
    )
    assert.deepEqual(told('workflow', workflow({ conections: [] })), ['conections: is not read; connections is'])
    const { description: _left, ...rest } = manifest
    assert.deepEqual(told('automation', { ...rest, descriptoin: 'x' }), ['descriptoin: is not read; description is'])
  })

  it('name roles that are not there, titles in place of ids, ids given twice, and circles', () => {
    const roles = [
      { id: 'a', title: 'Head', reports_to: 'c' },
      { id: 'b', reports_to: 'a' },
      { id: 'c', reports_to: 'b' },
      { id: 'd', reports_to: 'd' },
      { id: 'e', reports_to: 'Head' },
      { id: 'b', reports_to: null },
    ]
    const communication = [{ from: 'a', to: 'z' }]
    const run_config = { failure_routing: { fallbackAssignee: 'y' } }
    assert.deepEqual(told('org', org({ roles: roles.slice(0, 5), communication, run_config, topology: 3 })).sort(), [
      'communication.0.to: no role has the id "z"',
      'roles.0.reports_to: leads in a circle of roles',
      'roles.3.reports_to: is the role itself',
      'roles.4.reports_to: is the title of a role; its id is "a"',
      'run_config.failure_routing.fallbackAssignee: no role has the id "y"',
      'topology: is no text, so it is not read',
    ])
    assert.deepEqual(told('org', org({ roles: [roles[5], roles[5]] })), [
      'roles.1.id: is the id of an earlier role: what names "b" means that one',
    ])
  })

  it('name nodes that no program has, and connections to nothing', () => {
    const nodes = [
      { id: 'a', type: 'trigger.crom' },
      { id: 'b', type: 'harbour.list' },
      { id: 'b', type: 'core.if' },
      { id: 'c', type: 'board.list' },
      { id: 'd', type: 'tide.read' },
      { id: 'e', type: 'filter' },
    ]
    const connections = [{ source: 'a', target: 'z' }, { source: 'a' }]
    const given = { name: 3, nodes, connections, automations: { board: {} }, unbundledAutomations: { tide: {} } }
    assert.deepEqual(told('workflow', given).sort(), [
      'connections.0.target: no node has the id "z"',
      'connections.1.target: is missing',
      'name: is no text, so it is not read',
      'nodes.0.type: no trigger is known by this name; is trigger.cron meant?',
      'nodes.1.type: "harbour" is neither built in nor an id in automations or unbundledAutomations',
      'nodes.2.id: is the id of an earlier node',
    ])
    assert.deepEqual(told('workflow', workflow({ automations: [] })), [
      'automations: is no object with ids of automations, so it is not read',
    ])
  })

  it('name fields of a manifest that are not read, and files that are not there', () => {
    const given = {
      ...manifest,
      ...{ publisher: { name: 3 }, policy: { tier: [] }, engine: 1, requires: { native: true } },
      ...{ site: { domains: ['a.example', '*.b.example', 'https://c.example/*', 'not a host'] } },
      ...{ permissions: { steps: 'all', scripts: ['run', 3], downloads: 'yes' }, actions: ['list', 'gone'] },
    }
    const paths = ['automation.json', 'actions/list.json', 'actions/other.json', 'scripts/fetch.js']
    assert.deepEqual(told('automation', given, paths).sort(), [
      'actions.1: the archive has no file actions/gone.json',
      'actions/other.json: is no action of the manifest',
      'engine: is no text, so it is not read',
      'permissions.downloads: is neither true nor false, so it counts as true',
      'permissions.scripts.0: the archive has no file scripts/run.js',
      'permissions.scripts: has entries that are no text and are not read',
      'permissions.steps: is no list, so it is not read',
      'policy.tier: is no text, so it is not read',
      'publisher.name: is no text, so it is not read',
      'requires.native: is no text, so it is not read',
      'site.domains.3: is no name of a site',
    ])
    assert.deepEqual(told('automation', { ...manifest, site: 'x', permissions: [] }), [
      'site: is no object, so it is not read',
      'permissions: is no object, so it is not read',
    ])
  })

  it('are at most 50, on one line each, whatever the file is', () => {
    const nodes = Array.from({ length: MAX_WARNINGS + 1 }, (_, n) => ({ id: n, type: 'evil\n\u202e.x' }))
    const all = warningsOf('workflow', { nodes })
    assert.equal(all.length, MAX_WARNINGS)
    assert.equal(warningsOf('workflow', { nodes: nodes.slice(0, MAX_WARNINGS - 1) }).length, MAX_WARNINGS - 1)
    assert.doesNotMatch(JSON.stringify(all), /\\n|\u202e/)
    fc.assert(
      fc.property(fc.constantFrom(...schemaKinds), fc.jsonValue({ maxDepth: 4 }), (kind, value) => {
        for (const { path, message } of warningsOf(kind, value))
          assert.equal(typeof path + typeof message, 'stringstring')
      }),
    )
  })
})
