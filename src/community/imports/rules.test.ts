// The rules of imports at their limits.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  cutText,
  importedId,
  mentionsIn,
  momentIn,
  numbered,
  sortKeyOf,
  usernameFrom,
  withReferences,
} from './rules.ts'

const NOW = '2026-11-29T12:00:00.000Z'
const lead = (numbers: Record<number, number>) => ({
  number: (number: number) => (numbers[number] === undefined ? undefined : { number: numbers[number] }),
  addressOf: (number: number) => `https://old.example/issues/${number}`,
  url: (url: string) =>
    url === 'https://old.example/issues/7' ? { number: 70, path: '/community/bugs/x' } : undefined,
})

describe('rules of imports', () => {
  it('cut a text that is longer, and never half a character', () => {
    assert.deepEqual(cutText('x'.repeat(10), 10), { text: 'x'.repeat(10), isCut: false })
    assert.deepEqual(cutText('x'.repeat(11), 10), { text: `${'x'.repeat(9)}…`, isCut: true })
    assert.deepEqual(cutText(`${'x'.repeat(8)}😀y`, 10), { text: `${'x'.repeat(8)}…`, isCut: true })
  })

  it('make usernames of 3 to 24 characters of any name, and number them within that', () => {
    assert.equal(usernameFrom('Mira', 'github'), 'Mira')
    assert.equal(usernameFrom('ab', 'github'), 'github-ab')
    assert.equal(usernameFrom('日本', 'csv'), 'csv-user')
    assert.equal(usernameFrom('Zoë Müller (work)', 'csv'), 'Zoe-Muller-work')
    for (const name of ['x'.repeat(24), 'x'.repeat(25), '-x-'.repeat(20)])
      assert.ok(usernameFrom(name, 'csv').length <= 24)
    assert.equal(numbered('x'.repeat(24), 1), 'x'.repeat(24))
    assert.deepEqual([numbered('x'.repeat(24), 2), numbered('x'.repeat(24), 1_000).length], [`${'x'.repeat(22)}-2`, 24])
  })

  it('keep times of 1980 to now', () => {
    assert.equal(momentIn('2024-03-01T10:00:00+02:00', NOW), '2024-03-01T08:00:00.000Z')
    assert.equal(momentIn('0001-01-01T00:00:00Z', NOW), '1980-01-01T00:00:00.000Z')
    assert.equal(momentIn('2099-01-01T00:00:00Z', NOW), NOW)
  })

  it('make ids of version 7 that are the same in each run, and sort by time', () => {
    const id = importedId('2024-03-01T08:00:00.000Z', 'github acme', 'bug', '1')
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.equal(id, importedId('2024-03-01T08:00:00.000Z', 'github acme', 'bug', '1'))
    assert.notEqual(id, importedId('2024-03-01T08:00:00.000Z', 'github acme', 'bug', '2'))
    assert.ok(id < importedId('2024-03-01T08:00:00.001Z', 'github acme', 'bug', '1'))
  })

  it('order an answer after what it answers in the same moment', () => {
    const comment = { type: 'comment', thing: 't', text: '', createdAt: NOW } as const
    const [root, answer] = [
      sortKeyOf({ ...comment, id: '9' }, NOW),
      sortKeyOf({ ...comment, id: '10', parent: '9' }, NOW),
    ]
    assert.ok(root < answer)
  })

  it('lead numbers and addresses to what came along, not in code, and never to another thing', () => {
    const said = (text: string) => withReferences(text, lead({ 7: 70 }))
    assert.equal(said('#7, (#7) and a#7 or &#7;'), '#70, (#70) and a#7 or &#7;')
    assert.equal(said('#8'), '[#8](https://old.example/issues/8)')
    assert.equal(withReferences('#8', { ...lead({}), addressOf: () => undefined }), 'No. 8')
    assert.equal(said('`#7` ~~~\n#7\n~~~ ```\n#7'), '`#7` ~~~\n#7\n~~~ ```\n#7')
    assert.equal(said('See https://old.example/issues/7.'), 'See #70.')
    assert.equal(said('[it](https://old.example/issues/7)'), '[it](/community/bugs/x)')
    assert.equal(said('https://old.example/issues/70'), 'https://old.example/issues/70')
    assert.deepEqual(mentionsIn('#7 #7 `#9` https://a.example/b!'), { numbers: [7], urls: ['https://a.example/b'] })
  })

  it('take a text of backticks and hashes in time that grows with its length', () => {
    const began = performance.now()
    for (const text of [
      '`'.repeat(262_144),
      '#1'.repeat(131_072),
      '```~~~'.repeat(43_690),
      `https://a/${'!'.repeat(262_000)}a`,
    ])
      withReferences(text, lead({}))
    assert.ok(performance.now() - began < 5_000)
  })
})
