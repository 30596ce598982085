// Queries that mean nothing, or harm, through the front door, on both engines.
import assert from 'node:assert/strict'
import { onEveryEngine } from '../../../test/world.ts'

onEveryEngine('the search', (it) => {
  it('takes any query: syntax, punctuation, common words, 1,000 characters', async ({ alice, anonymous }) => {
    await alice.posts.create({ title: 'The word', body: 'the a of and to in is it' })
    const hostile = [
      ...[
        '',
        ' ',
        '"',
        "'",
        '*',
        '(',
        ')',
        'AND',
        'OR NOT',
        'NEAR(a b)',
        'a:b',
        '{a}',
        '^a',
        '-a',
        'a*b',
        'a" OR "b',
        "a' | 'b",
      ],
      ...[
        '\'; drop table "user"; --',
        '\\',
        '%',
        '_',
        '&',
        '!',
        '<->',
        ':*',
        '====',
        '=the',
        '==theword',
        '...',
        '1.2.3.4.5.6.7.8.9',
      ],
      ...[
        'the',
        'the a of and to',
        '\u{1f600}',
        '日',
        'e\u0301',
        'ﷺ'.repeat(20),
        '½',
        '⑴',
        '\u202e',
        'ß'.repeat(1_000),
      ],
      ...[
        'a '.repeat(500),
        'x'.repeat(1_000),
        'a-'.repeat(500),
        'ab1'.repeat(333),
        Array.from({ length: 250 }, (_, n) => n).join(' '),
      ],
    ]
    for (const q of hostile) {
      const { items } = await anonymous.search.find({ q: q.slice(0, 1_000) })
      assert.ok(items.length <= 1, q)
    }
    assert.equal((await anonymous.search.find({ q: 'the' })).items.length, 1)
    await assert.rejects(anonymous.search.find({ q: 'x'.repeat(1_001) }), { status: 400 })
    await assert.rejects(anonymous.search.find({ q: 'a\0b' }), { status: 400 })
    assert.deepEqual(await anonymous.search.find({}), {
      items: [],
      hasMore: false,
      total: 0,
      counts: [],
      corrected: [],
    })
  })
})
