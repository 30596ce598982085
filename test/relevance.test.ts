// What the bench of the search judges by: its measures, the lists that were made by hand, and what words mean by their company.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scoresOf } from '../bench/parts/collection.ts'
import { assertThere, isWanted, judgedIn, readJudged } from '../bench/relevance/judged.ts'
import { makeLsi } from '../bench/relevance/lsi.ts'
import { duplicatesIn, rankOf, reciprocalRank, successAt } from '../bench/relevance/measures.ts'

const near = (value: number, expected: number) => assert.ok(Math.abs(value - expected) < 1e-9, `${value}`)

describe('the measures of the search', () => {
  it('count one divided by the first right place, and nothing where there is none', () => {
    assert.equal(
      rankOf([3, 8, 9], (one) => one > 7),
      2,
    )
    assert.equal(
      rankOf([3], (one) => one > 7),
      undefined,
    )
    near(reciprocalRank([1, 2, 4, undefined]), (1 + 1 / 2 + 1 / 4) / 4)
    assert.deepEqual(
      [1, 2, 3, 4].map((most) => successAt([1, 3, 4, undefined], most)),
      [1 / 4, 1 / 4, 2 / 4, 3 / 4],
    )
    assert.deepEqual([reciprocalRank([]), successAt([], 1)], [0, 0])
  })

  it('count what is right of what was found, and what was found of what is right', () => {
    const of = (isDuplicate: boolean, isFound: boolean) => ({ isDuplicate, isFound })
    const { precision, recall, f1 } = duplicatesIn([of(true, true), of(true, false), of(true, false), of(false, true)])
    near(precision, 1 / 2)
    near(recall, 1 / 3)
    near(f1, 2 / 5)
    assert.deepEqual(duplicatesIn([of(true, false), of(false, false)]), { precision: 0, recall: 0, f1: 0 })
    assert.deepEqual(duplicatesIn([of(true, true), of(false, false)]), { precision: 1, recall: 1, f1: 1 })
  })

  it('count the average precision of all that answers, and gains by their places', () => {
    const judgements = [
      new Map([
        [1, 1],
        [2, 3],
      ]),
    ]
    assert.deepEqual(scoresOf([[2, 1]], { judgements }), { map: 1, ndcg: 1 })
    const { map, ndcg } = scoresOf([[7, 1]], { judgements })
    near(map, 1 / 4)
    near(ndcg, 1 / Math.log2(3) / (3 + 1 / Math.log2(3)))
    assert.deepEqual(scoresOf([[]], { judgements }), { map: 0, ndcg: 0 })
  })
})

describe('the lists that were judged by hand', () => {
  const bug = { type: 'bug', title: 'One thing', authorUsername: 'ines' }
  const comment = { type: 'comment', title: 'One thing', authorUsername: 'kofi' }

  it('have 200 queries, and 60 pairs of which half are duplicates', () => {
    const [queries, pairs] = [readJudged('queries.txt'), readJudged('pairs.txt')]
    assert.equal(new Set(queries.map(({ text }) => text)).size, 200)
    assert.equal(new Set(pairs.map(({ text }) => text)).size, 60)
    assert.equal(pairs.filter(({ group }) => group === 'duplicates').length, 30)
    assert.ok(pairs.every(({ text }) => text.length <= 100))
  })

  it('name things by their beginnings, and comments by who wrote them', () => {
    const [one, other] = judgedIn(
      'About\n\n# first: words\none => bug One | bug Two\n# other\nx: y => comment kofi: One\n',
    )
    assert.deepEqual([one?.group, one?.text, other?.group, other?.text], ['first', 'one', 'other', 'x: y'])
    assert.deepEqual(
      [bug, comment, { ...bug, title: 'Two' }, { ...bug, title: 'A One' }].map((thing) => isWanted(one!, thing)),
      [true, false, true, false],
    )
    assert.deepEqual(
      [bug, comment, { ...comment, authorUsername: 'ines' }].map((thing) => isWanted(other!, thing)),
      [false, true, false],
    )
    assert.throws(() => judgedIn('# first\none\n'), /is not/)
  })

  it('are refused where what they name is not there, or is not one thing', () => {
    const judged = judgedIn('# first\none => bug One\n')
    assertThere(judged, [bug, comment])
    assert.throws(() => assertThere(judged, [comment]), /0 things/)
    assert.throws(() => assertThere(judged, [bug, { ...bug, title: 'One more' }]), /2 things/)
  })
})

describe('what words mean by their company', () => {
  const texts = ['car engine wheel', 'automobile engine wheel', 'flower petal garden', 'rose petal garden']
  const cosine = (one: number[], other: number[]) =>
    one.reduce((sum, value, at) => sum + value * other[at]!, 0) / Math.hypot(...one) / Math.hypot(...other)

  it('is near for words that come with the same ones, and always the same', () => {
    const embed = makeLsi(texts, 2)
    assert.ok(cosine(embed('car'), embed('automobile')) > 0.9)
    assert.ok(cosine(embed('car'), embed('rose')) < 0.1)
    assert.deepEqual(makeLsi(texts, 2)('car'), embed('car'))
  })

  it('is there, and near nothing, for a text of unknown words', () => {
    const embed = makeLsi(texts, 2)
    assert.ok(Math.hypot(...embed('zebra')) > 0)
    assert.ok(Math.abs(cosine(embed('zebra'), embed('car'))) < 0.01)
  })
})
