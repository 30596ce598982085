// Queries that mean nothing, or harm, through the front door, on both engines.
import assert from 'node:assert/strict'
import { onEveryEngine } from '../../../test/world.ts'

onEveryEngine('the search', (it) => {
  it('takes any query: syntax, punctuation, common words, 200 characters', async ({ alice, anonymous }) => {
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
      ...['the', 'the a of and to', '\u{1f600}', '日', 'e\u0301', 'ﷺ'.repeat(20), '½', '⑴', '\u202e', 'ß'.repeat(200)],
      ...[
        'a '.repeat(100),
        'x'.repeat(200),
        'a-'.repeat(100),
        'ab1'.repeat(66),
        Array.from({ length: 66 }, (_, n) => n).join(' '),
      ],
    ]
    for (const q of hostile) {
      const { items } = await anonymous.search.find({ q: q.slice(0, 200) })
      assert.ok(items.length <= 1, q)
    }
    assert.equal((await anonymous.search.find({ q: 'the' })).items.length, 1)
    await assert.rejects(anonymous.search.find({ q: 'x'.repeat(201) }), { status: 400 })
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
