// What is not known widens, what is too much is anything, and no file takes long.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { bound, config, org, packaged, told, workflow } from '../../test/permissions.ts'
import { MAX_URLS } from './permission-set.ts'
import { MAX_TEXT_BYTES, MAX_VALUES, WantedTexts } from './permissions.ts'

describe('What is not known widens', () => {
  it('steps and permissions of other shapes', () => {
    assert.deepEqual(packaged({ permissions: { steps: true, scripts: '*', clipboard: true, usb: ['a', 'b'] } }), [
      'script: any script',
      ...['step: any step', 'step: clipboard', 'step: usb a', 'step: usb b'],
    ])
    assert.deepEqual(workflow([{ type: '{{x}}' }, { type: '*' }]), ['step: any step'])
  })

  it('an action without a file, where no steps are declared', () => {
    assert.deepEqual(packaged({ permissions: undefined, actions: ['go'] }), ['step: any step'])
    assert.deepEqual(
      packaged({ permissions: undefined, actions: ['go'] }, { 'actions/go.json': '{"steps":["click"]}' }),
      ['step: click'],
    )
    assert.deepEqual(packaged({}, { 'actions/go.json': '{' }), [
      'script: any script',
      'site: any site',
      'step: any step',
    ])
    assert.deepEqual(packaged({}, { 'actions/go.json': '{"steps":[{"x":1}]}' }), ['step: any step'])
  })

  it('a policy bounds a role; a tool without what is denied is less than the tool', () => {
    assert.deepEqual(org({ policy: bound }), [])
    const given = { ...bound, allowTools: ['Bash', 'Read', 'Web'], denyTools: ['Bash(rm:*)', 'Web'], git: 'commit' }
    assert.deepEqual(org({ policy: given }), [
      'step: Bash except Bash(rm:*)',
      'step: Read',
      'step: git commit',
      'step: git read',
    ])
    assert.deepEqual(org({ policy: { ...bound, allowTools: undefined, denyTools: ['B', 'A'] } }), [
      'step: any step except A, B',
    ])
    assert.deepEqual(org({ policy: { ...bound, autoApproveTools: ['Read'] } }), ['step: without asking Read'])
  })

  it('names with hidden characters stay different, and are seen', () => {
    assert.deepEqual(workflow([{ type: 'a\u200bb' }, { type: 'ab' }, { type: 'a\u202eb' }, { type: 'a\ud800b' }]), [
      ...['step: a<U+200B>b', 'step: a<U+202E>b', 'step: a<U+D800>b', 'step: ab'],
    ])
  })

  it('what is no object at all', () => {
    for (const definition of [null, 1, 'x', [], undefined]) {
      for (const kind of ['workflow', 'org'] as const) assert.ok(told({ kind, definition }).includes('step: any step'))
    }
    assert.ok(told({ kind: 'automation', files: [] }).includes('site: any site'))
  })
})

describe('Bounds', () => {
  it('200 names of a type, with 200 characters each', () => {
    const types = (count: number) => workflow(Array.from({ length: count }, (_, index) => ({ type: `t${index}` })))
    assert.equal(types(200).length, 200)
    assert.deepEqual(types(201), ['step: any step'])
    assert.deepEqual(workflow([{ type: 'x'.repeat(200) }]), [`step: ${'x'.repeat(200)}`])
    assert.deepEqual(workflow([{ type: 'x'.repeat(201) }]), ['step: any step'])
  })

  it('too many tools hide no other permission of a role', () => {
    const allowTools = Array.from({ length: 300 }, (_, index) => `t${index}`)
    assert.deepEqual(org({ policy: { ...bound, allowTools, git: 'read' } }), ['step: any step', 'step: git *'])
  })

  it('more values than are read are anything', () => {
    const most = workflow([], { list: Array(MAX_VALUES - 2).fill(0) })
    assert.deepEqual(most, [])
    assert.equal(workflow([], { list: Array(MAX_VALUES - 1).fill(0) }).length, 8)
  })

  it('more URLs than are read are any site', () => {
    const urls = (count: number) => config({ text: 'https://a.example '.repeat(count) })
    assert.deepEqual(urls(MAX_URLS), ['site: a.example', 'step: step.some'])
    assert.deepEqual(urls(MAX_URLS + 1), ['site: a.example', 'site: any site', 'step: step.some'])
  })

  it('any depth is read without a deep stack', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}"https://deep.example/"${']'.repeat(100_000)}`)
    assert.deepEqual(workflow([], { deep }), ['site: deep.example'])
  })

  it('texts of an archive: 1 MiB each and 16 MiB together', () => {
    const wanted = new WantedTexts()
    assert.equal(wanted.wants('README.md', 1), false)
    assert.equal(wanted.wants('a.js', MAX_TEXT_BYTES + 1), false)
    for (let count = 0; count < 16; count += 1) assert.equal(wanted.wants('a.js', MAX_TEXT_BYTES), true)
    assert.equal(wanted.wants('a.js', 1), false)
  })

  it('keys that JavaScript has a meaning for are plain keys', () => {
    const definition = JSON.parse(
      '{"nodes":[{"type":"a","config":{"__proto__":{"url":"https://p.example"},"constructor":"c"}}]}',
    )
    assert.deepEqual(told({ kind: 'workflow', definition }), ['site: p.example', 'step: a'])
    const manifest = JSON.parse('{"permissions":{"steps":[],"__proto__":true,"toString":"x"}}')
    const text = JSON.stringify(manifest)
    assert.deepEqual(told({ kind: 'automation', files: [{ path: 'automation.json', text }] }), [
      'step: __proto__',
      'step: toString x',
    ])
  })
})

it('The function uses nothing of Node, and no package', () => {
  const seen = new Set(['./permissions.ts'])
  for (const file of seen) {
    const text = readFileSync(new URL(file, import.meta.url), 'utf8')
    for (const [, from = ''] of text.matchAll(/from '([^']+)'/g)) {
      assert.match(from, /^\.\/permission-[a-z]+\.ts$/, file)
      seen.add(from)
    }
    assert.doesNotMatch(text, /\b(?:Buffer|process\.(?!env))/, file)
  }
})
