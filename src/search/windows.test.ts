// Expressions among the newest documents, against what they mean, on both engines.
import assert from 'node:assert/strict'
import { isMet } from '../../test/expressions.ts'
import { onEveryEngine } from '../../test/world.ts'
import type { SearchType } from '../contract/kinds.ts'
import { changeSearch } from './indexing.ts'
import { ALL } from './queries.ts'
import { type Expression, inTitles, termsIn } from './query.ts'
import { stemOf } from './stem.ts'
import { mapCounts } from './vocabulary-queries.ts'
import { listNewestNumbers } from './windows.ts'

const words = ['quokka', 'numbat', 'potoroo', 'bettong', 'dunnart'].map(stemOf)
const types: readonly SearchType[] = ['bug', 'post']
/** Each document has the words of the bits of its number, and in its title those of the bits of half of it. */
const COUNT = 2 ** words.length
const wordsOf = (bits: number) => words.filter((_, at) => (bits >> at) & 1)
const [a, b, c, d, e] = words as [string, string, string, string, string]

const expressions: Expression[] = [
  a,
  { any: [a, b] },
  { all: [a, b] },
  { all: [e, { any: [a, b] }] },
  { any: [{ all: [a, b] }, { all: [c, d] }] },
  { any: [a, { all: [b, { any: [c, { all: [d, e] }] }] }] },
  { all: [{ any: [a, { all: [b, c] }] }, d] },
  { all: words },
  { any: words },
  ...[2, 3, 4, 5].map((count) => ({ most: words.slice(0, count) })),
  { most: [{ any: [a, b] }, { all: [c, d] }, e] },
  { all: [{ most: [a, b, c] }, 'nowhere'] },
  { most: ['nowhere', a, b] },
  { any: ['nowhere', 'elsewhere'] },
]

onEveryEngine('an expression among the newest documents', (it) => {
  it('finds what has its words, of the types that are asked for', async ({ db, alice }) => {
    const { id: authorId } = await alice.account()
    const put = types.flatMap((type) =>
      Array.from({ length: COUNT }, (_, bits) => ({
        ...{ id: `${type}/${bits}`, type, authorId, url: '/', createdAt: null },
        ...{ title: wordsOf(bits >> 1).join(' '), body: wordsOf(bits).join(' ') },
      })),
    )
    await db.transaction().execute((transaction) => changeSearch(transaction, { put }))
    for (const expression of [...expressions, ...expressions.map(inTitles)]) {
      for (const asked of [types, ['post'] as const]) {
        const counts = await mapCounts(db, [ALL, ...termsIn(expression)])
        const numbers = await listNewestNumbers(db, expression, { types: asked, counts })
        const found = await db
          .selectFrom('searchDocument')
          .select('id')
          .where('rowId', 'in', [0, ...numbers])
          .execute()
        const met = (bits: number) =>
          isMet(
            expression,
            new Set([...wordsOf(bits), ...wordsOf(bits >> 1), ...wordsOf(bits >> 1).map((w) => `=${w}`)]),
          )
        const expected = asked.flatMap((type) =>
          Array.from({ length: COUNT }, (_, bits) => bits).flatMap((bits) => (met(bits) ? [`${type}/${bits}`] : [])),
        )
        assert.deepEqual(found.map(({ id }) => id).sort(), expected.sort(), JSON.stringify(expression))
        assert.deepEqual(
          numbers,
          numbers.toSorted((one, other) => one - other),
        )
      }
    }
  })
})
