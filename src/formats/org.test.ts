// Reading org definitions.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { MAX_ORG_BYTES } from '../contract/sizes.ts'
import { FormatError } from './format-error.ts'
import { describeOrg, readOrg } from './org.ts'

const fixture = (name: string) => readFile(new URL(`../../test/fixtures/${name}`, import.meta.url), 'utf8')
const roles = [{ id: 'solo' }]
const read = (changes: object) => readOrg(JSON.stringify({ name: 'x', roles, ...changes }))

describe('an org definition', () => {
  it('derives what the gallery and the library show', async () => {
    const goal = 'Match supplier invoices to purchase orders every morning. Escalate anything over 20000.'
    assert.deepEqual(describeOrg(readOrg(await fixture('org-invoice-desk.json'))), {
      name: 'invoice-desk',
      itemName: 'invoice-desk',
      goal,
      description: goal,
      topology: 'hierarchical',
      roleCount: 3,
      tagline: 'Match supplier invoices to purchase orders every morning.',
      meta: { role_count: 3, topology: 'hierarchical' },
    })
  })

  it('needs no more than a name and a role', async () => {
    const org = readOrg(await fixture('org-minimal.json'))
    assert.deepEqual(org.roles, [{ id: 'solo', type: 'specialist' }])
    assert.deepEqual([org.goal, org.status, org.schedule, org.run_config], ['', 'stopped', null, {}])
    const { topology, tagline, meta } = describeOrg(org)
    assert.deepEqual([topology, tagline, meta], [null, null, { role_count: 1, topology: null }])
  })

  it('keeps fields it does not know, at every level', async () => {
    const org = readOrg(await fixture('org-support-mesh.json'))
    assert.deepEqual(org.roles[1]!['skills'], ['triage'])
    assert.deepEqual(read({ colour: 1, run_config: { a: { b: 2 } } })['colour'], 1)
  })

  it('may repeat role ids, report to nobody, and have any topology or none', () => {
    assert.equal(read({ roles: [...roles, { id: 'solo', reports_to: 'nobody' }] }).roles.length, 2)
    assert.equal(describeOrg(read({ topology: ['mesh'] })).topology, null)
    assert.equal(describeOrg(read({ topology: 'my own' })).topology, 'my own')
  })

  it('has a summary of one sentence of at most 150 characters', () => {
    const taglineOf = (goal: string) => describeOrg(read({ goal })).tagline
    assert.equal(taglineOf('Ship v1.2 on time! Then rest.'), 'Ship v1.2 on time!')
    assert.equal(taglineOf('\n  First line\nSecond line'), 'First line')
    assert.equal(taglineOf('a'.repeat(151)), 'a'.repeat(150))
    assert.equal(taglineOf(`${'a'.repeat(149)}🎈`), 'a'.repeat(149))
    assert.equal(taglineOf('  '), null)
  })

  it('has its goal cut to 2,000 characters and its item name to 100', () => {
    const { description, goal, itemName, name } = describeOrg(
      read({ name: ` ${'n'.repeat(101)}`, goal: 'g'.repeat(2_001) }),
    )
    assert.deepEqual([description.length, goal.length, itemName, name.length], [2_000, 2_001, 'n'.repeat(100), 102])
  })

  it('may be 500,000 bytes of UTF-8 and no more', () => {
    const around = JSON.stringify({ name: 'x', roles, padding: '' }).length
    const textOf = (bytes: number) =>
      JSON.stringify({ name: 'x', roles, padding: `é${'.'.repeat(bytes - around - 2)}` })
    assert.equal(readOrg(textOf(MAX_ORG_BYTES)).name, 'x')
    assert.throws(() => readOrg(textOf(MAX_ORG_BYTES + 1)), /at most 500,000 bytes/)
  })

  it('is refused, or read, but never breaks, for any JSON', () => {
    const field = fc.constantFrom(
      'name',
      'goal',
      'roles',
      'run_config',
      'fence',
      'schedule',
      'communication',
      '__proto__',
    )
    fc.assert(
      fc.property(fc.dictionary(field, fc.jsonValue()), (given) => {
        try {
          readOrg(JSON.stringify(given))
        } catch (error) {
          assert.ok(error instanceof FormatError, String(error))
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('an org definition is refused', () => {
  const role = (fields: object) => ({ roles: [{ id: 'a' }, { id: 'b', ...fields }] })
  const fence = (fields: object) => ({ fence: { allowlist: [{ id: 'a', pattern: 'p', ...fields }] } })
  const refusals: [object, RegExp][] = [
    [{ name: '' }, /^name: expected a string of at least 1 character$/],
    [{ name: 'a\0' }, /^name: expected well-formed Unicode without NUL$/],
    [{ name: 'a\udc00' }, /^name: expected well-formed/],
    [{ goal: null }, /^goal: expected a string$/],
    [{ topology: '\0' }, /^topology: expected well-formed/],
    [{ status: 1 }, /^status: expected a string$/],
    [{ schedule: true }, /^schedule: expected a string, a number or null$/],
    [{ roles: [] }, /^roles: expected at least 1 role$/],
    [{ roles: {} }, /^roles: expected an array$/],
    [{ roles: [1] }, /^roles\.0: expected an object$/],
    [{ roles: [{ id: '' }] }, /^roles\.0\.id: expected a string of at least 1 character$/],
    [{ roles: [{}] }, /^roles\.0\.id: expected/],
    [{ runtime: 'emacs' }, /^runtime: expected one of claude, kimicode/],
    [role({ reports_to: 1 }), /^roles\.1\.reports_to: expected a string or null$/],
    [role({ responsibilities: ['a', null] }), /^roles\.1\.responsibilities\.1: expected a string$/],
    [role({ adapter_config: { max_tokens: '9' } }), /^roles\.1\.adapter_config\.max_tokens: expected a number$/],
    [
      role({ provider: { kind: 'api-key', secret: 'x' } }),
      /^roles\.1\.provider\.secret: expected only the fields kind/,
    ],
    [role({ provider: { vendor: 'me' } }), /^roles\.1\.provider\.vendor: expected one of openai/],
    [role({ policy: { git: 'force' } }), /^roles\.1\.policy\.git: expected one of none, read, commit, push$/],
    [role({ policy: { maxTokens: 0 } }), /^roles\.1\.policy\.maxTokens: expected an integer above 0$/],
    [role({ policy: { fence: { scanOutput: 1 } } }), /^roles\.1\.policy\.fence\.scanOutput: expected true or false$/],
    [role({ budget_usd: 0 }), /^roles\.1\.budget_usd: expected a number above 0$/],
    [{ run_config: { budget_tokens: 1.5 } }, /^run_config\.budget_tokens: expected an integer above 0$/],
    [{ run_config: { idle_minutes: -1 } }, /^run_config\.idle_minutes: expected a number of at least 0$/],
    [{ run_config: { circuit_breaker: { cooldown_ms: -1 } } }, /cooldown_ms: expected an integer of at least 0$/],
    [
      { run_config: { failure_routing: { retry: { backoffMs: [0, -1] } } } },
      /retry\.backoffMs\.1: expected an integer/,
    ],
    [{ run_config: { prechecks: [{ name: 'a' }] } }, /^run_config\.prechecks\.0\.command: expected a string$/],
    [{ fence: { abortThreshold: 1.1 } }, /^fence\.abortThreshold: expected a number from 0 to 1$/],
    [fence({ pattern: '' }), /^fence\.allowlist\.0\.pattern: expected a string of at least 1 character$/],
    [fence({ types: ['unknown', 'rain'] }), /^fence\.allowlist\.0\.types\.1: expected one of prompt_injection/],
    [{ communication: [{ from: 'a' }] }, /^communication\.0\.to: expected a string$/],
  ]
  for (const [changes, message] of refusals) {
    it(`with ${JSON.stringify(changes)}`, () => {
      assert.throws(
        () => read(changes),
        (error: Error) => error instanceof FormatError && message.test(error.message),
      )
    })
  }

  it('when it is not a JSON object', () => {
    for (const text of ['', '[', '[]', 'null', '"org"', '\ufeff{}', '['.repeat(200_000)]) {
      assert.throws(() => readOrg(text), FormatError)
    }
    assert.throws(() => readOrg('{"name":"\ud800"}'), /^FormatError: expected well-formed Unicode$/)
  })

  it('when __proto__ is all it has', () => {
    assert.throws(() => readOrg('{"__proto__":{"name":"x","roles":[{"id":"a"}]}}'), /^FormatError: name: expected/)
    const hidden = '{"name":"x","roles":[{"id":"a","provider":{"__proto__":1}}]}'
    assert.throws(() => readOrg(hidden), /^FormatError: roles\.0\.provider\.__proto__: expected only/)
  })
})
