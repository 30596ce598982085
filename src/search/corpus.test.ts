// The quality of the search: what a person wants comes first, on both engines alike.
import assert from 'node:assert/strict'
import { documents, queries } from '../../test/search-corpus.ts'
import { onEveryEngine } from '../../test/world.ts'
import { findDocuments } from './finding.ts'
import { changeSearch } from './indexing.ts'

const now = Date.parse('2026-11-20T09:00:00.000Z')

/** What each query found on the first engine. */
const found = new Map<string, string[]>()

onEveryEngine('the search over a community', (it) => {
  it('finds what was meant first, in nine of ten queries and more', async ({ db }) => {
    await db.transaction().execute((transaction) => changeSearch(transaction, { put: documents }))
    const missed: string[] = []
    let sum = 0
    for (const [q, first, what] of queries) {
      const { items } = await findDocuments(db, { q, types: [], page: 0, per_page: 10, now })
      const ids = items.map(({ id }) => id)
      assert.deepEqual(ids, found.get(q) ?? ids, `${q} finds the same on both engines`)
      found.set(q, ids)
      const rank = ids.indexOf(first)
      sum += rank < 0 ? 0 : 1 / (rank + 1)
      if (rank !== 0) missed.push(`${q} (${what}): ${ids.join(' ')} instead of ${first}`)
    }
    const score = sum / queries.length
    assert.ok(queries.length >= 60)
    assert.ok(score >= 0.9, `mean reciprocal rank ${score.toFixed(3)}:\n${missed.join('\n')}`)
  })
})
