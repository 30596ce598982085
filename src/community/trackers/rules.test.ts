// Marks, texts and verdicts of two ways with a tracker.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as rules from './rules.ts'

const key = Buffer.alloc(32, 1)
const id = '01a1fb4e-bb9a-7544-87a4-2785318c8f22'
const mark = { type: 'bug', id, author: 'mira', site: 'Guild', url: 'https://guild.example/community/bugs/1' } as const
const name = 'acme/looms'

it('A text comes back from there as it was', () => {
  const texts = [
    'Plain',
    '@octocat and #12',
    '`@x #1`\n```\n#2 @y\n```\n#3',
    'See acme/looms#7, other/repo#7',
    '**bold**\n\n<!-- x -->',
  ]
  for (const text of texts) {
    const there = rules.marked(rules.textThere(text, name), mark, key)
    assert.equal(rules.textHere(rules.unmarked(there), name), text)
    assert.deepEqual(rules.markIn(there, key), { type: 'bug', id })
  }
})

it('Nobody there is called by a text of ours, and a number there is said with its repository here', () => {
  assert.equal(rules.textThere('@a #1 acme/looms#2', name), '@\u200ba #\u200b1 #2')
  assert.equal(rules.textHere('#1 a#2 `#3`', name), 'acme/looms#1 a#2 `#3`')
})

it('Nobody there is called by what only looks like code', () => {
  const called = [
    '\\`@octocat\\`',
    'See ``` @octocat',
    '`a\n`@octocat`',
    '~~~\n```\n~~~\n@octocat\n```',
    '- ```\n  a\n  ```\n@octocat',
    '  ```\na\n```\n@octocat',
    '````\n```\n````\n@octocat\n```',
    '```a`\n@octocat\n```',
    '<div>\n```\n@octocat\n```\n</div>',
    '<a title="`">@octocat</a> `',
    '> ```\n\n@octocat\n```',
    '$`@octocat',
  ]
  for (const text of called) {
    const there = rules.textThere(text, name)
    assert.ok(!there.includes('@octocat'), text)
    assert.equal(rules.textHere(there, name), text)
  }
  for (const entity of ['&#64;octocat', '&#x0040;octocat', '&commat;octocat', '@&#111;ctocat']) {
    const there = rules.textThere(entity, name)
    assert.doesNotMatch(there, /^&[#c]|^@&/)
    assert.equal(rules.textHere(there, name), entity)
  }
  for (const code of [
    '`npm i @acme/x`',
    'a `@x` b `#1` c',
    '```ts\n@Get()\n```\n',
    '~~~\n@x `\n~~~\na < b',
    '````\n```\n@x\n````',
  ])
    assert.equal(rules.textThere(code, name), code)
})

it('A mark of another key or id is none, and a name cannot end it', () => {
  const there = rules.marked('Text', { ...mark, author: '**x**](y) @z\n<!--' }, key)
  assert.equal(rules.unmarked(there), 'Text')
  assert.ok(!/[^\\]@z/.test(there) && !there.split('\n')[0]?.includes(' <!--'))
  assert.equal(rules.markIn(there, Buffer.alloc(32, 2)), undefined)
  assert.equal(rules.markIn(there.replace(id, id.replace('0', '1')), key), undefined)
  assert.equal(rules.markIn('Text', key), undefined)
})

it('What changed on one side goes to the other, and both only where they differ', () => {
  const sides = [rules.printOf('a'), rules.printOf('A')] as const
  const of = (ours: string, theirs: string) => rules.verdictOf({ ours, theirs, read: theirs.toLowerCase() }, sides)
  assert.deepEqual(
    [of('a', 'A'), of('b', 'A'), of('a', 'B'), of('b', 'B'), of('b', 'C')],
    ['same', 'send', 'take', 'same', 'both'],
  )
})

it('The later edit counts, and theirs within its second', () => {
  assert.equal(rules.isTheirsLater('2026-01-01T00:00:05.999Z', '2026-01-01T00:00:05Z'), true)
  assert.equal(rules.isTheirsLater('2026-01-01T00:00:06.000Z', '2026-01-01T00:00:05Z'), false)
})

it('Each label is a field', () => {
  const set = (...names: string[]) => new Set(names)
  const { take, send } = rules.labelChanges({ ours: set('a', 'b'), theirs: set('b', 'c'), common: set('a', 'b') })
  assert.deepEqual(take, [
    { name: 'a', isOn: false },
    { name: 'c', isOn: true },
  ])
  assert.deepEqual(send, [])
})
