// What reports come to: weights, bounds and networks, and simulations of what the formula promises.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultTrust } from '../../contract/trust.ts'
import {
  type CountedReport,
  CROWD,
  figuresOf,
  isRegression,
  lowerBound,
  MIN_ACCOUNTS,
  rankOf,
  relevanceOf,
  weightOf,
} from '../outcome-figures/rules.ts'

const NOW = '2026-06-01T00:00:00.000Z'
const madeBefore = (days: number) => new Date(Date.parse(NOW) - days * 86_400_000).toISOString()

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

let voices = 0
const voice = (changes: Partial<CountedReport> = {}): CountedReport => ({
  ...{ accountId: `a${++voices}`, network: `n${voices}`, outcome: 'worked', error: null, weight: 100 },
  ...changes,
})
const many = (count: number, changes: Partial<CountedReport> = {}) =>
  Array.from({ length: count }, () => voice(changes))

describe('the weight of a report', () => {
  it('grows with the age of an account whose address is verified', () => {
    const weigh = (days: number, verified = true) => weightOf({ createdAt: madeBefore(days), verified }, undefined, NOW)
    const days = [0, 1.99, 2, 13.99, 14, 59.99, 60, 1000]
    assert.deepEqual(
      days.map((age) => weigh(age)),
      [10, 10, 25, 25, 50, 50, 100, 100],
    )
    assert.equal(weigh(1000, false), 10)
  })

  it('is that of a higher level where levels are on', () => {
    const young = { createdAt: madeBefore(3), trust: 3 }
    assert.equal(weightOf({ ...young, verified: true }, defaultTrust, NOW), 100)
    assert.equal(weightOf({ ...young, verified: true }, undefined, NOW), 25, 'levels are off')
    assert.equal(weightOf({ ...young, verified: false }, defaultTrust, NOW), 10)
  })
})

describe('the lower bound', () => {
  it('is that of Wilson at 95 %', () => {
    // Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 29 of 29.
    const known = [
      [81, 263, 0.2553],
      [15, 148, 0.0624],
      [0, 20, 0],
      [29, 29, 0.883],
    ] as const
    for (const [worked, all, bound] of known) assert.equal(Number(lowerBound(worked / all, all).toFixed(4)), bound)
    assert.equal(lowerBound(1, 0), 0)
  })
})

describe('the figures of a version', () => {
  it('are counts of reports, and a rate by the weights of accounts', () => {
    assert.equal(figuresOf([]), undefined)
    const figures = figuresOf([...many(3), voice({ outcome: 'failed', weight: 50 })])
    assert.deepEqual(figures && [figures.worked, figures.failed, figures.accounts, figures.weight], [3, 1, 4, 350])
    assert.equal(figures?.rate, Math.round((3 / 3.5) * 10_000))
  })

  it('have an account as one voice, however often it reports', () => {
    const often = [...many(99, { accountId: 'often', network: 'one', outcome: 'failed' }), ...many(1)]
    assert.deepEqual([figuresOf(often)?.rate, figuresOf(often)?.accounts], [5000, 2])
  })

  it('have a network as one voice, as heavy as the heaviest of its accounts', () => {
    const office = [...many(CROWD - 2, { network: 'office', outcome: 'failed', weight: 10 }), ...many(2)]
    assert.deepEqual([figuresOf(office)?.weight, figuresOf(office)?.rate], [210, Math.round((2 / 2.1) * 10_000)])
    assert.equal(figuresOf([voice({ network: 'office', weight: 100 }), ...office])?.weight, 300)
  })

  it(`have a network of ${CROWD} accounts or more as a thousandth of all voices`, () => {
    const others = many(99)
    assert.equal(figuresOf([...others, ...many(CROWD - 1, { network: 'farm' })])?.weight, 10_000)
    for (const accounts of [CROWD, 50]) {
      assert.equal(figuresOf([...others, ...many(accounts, { network: 'farm' })])?.weight, 9910)
    }
    // Where many networks are crowds, as of what everybody uses, each is a voice.
    const crowds = Array.from({ length: 1000 }, (_, n) => many(CROWD, { network: `crowd ${n}` })).flat()
    assert.equal(figuresOf(crowds)?.weight, 100_000)
  })

  it(`name a class of errors that ${MIN_ACCOUNTS} accounts reported`, () => {
    const failed = { outcome: 'failed' as const }
    const below = many(MIN_ACCOUNTS - 1, { ...failed, error: 'timeout' })
    const enough = many(MIN_ACCOUNTS, { ...failed, error: 'network' })
    const twice = many(2, { ...failed, error: 'timeout', accountId: below[0]!.accountId })
    assert.deepEqual(figuresOf([...below, ...enough, ...twice])?.errors, [{ error: 'network', reports: MIN_ACCOUNTS }])
    const errors = [
      { error: 'timeout', reports: 7 },
      { error: 'network', reports: 5 },
    ]
    assert.deepEqual(figuresOf([...below, ...enough, ...twice, voice({ ...failed, error: 'timeout' })])?.errors, errors)
  })
})

describe('a regression', () => {
  const of = (rate: number, reports: number) => ({ rate: rate * 10_000, weight: reports * 100 })

  it('is a rate that is lower by five of a hundred at least, and surely so', () => {
    assert.equal(isRegression(of(0.97, 320), of(0.8, 40)), true)
    assert.equal(isRegression(of(0.97, 30), of(0.9, 10)), false, 'ten reports are too few for that')
    assert.equal(isRegression(of(0.95, 100_000), of(0.9, 100_000)), true)
    assert.equal(isRegression(of(0.95, 100_000), of(0.9001, 100_000)), false)
    assert.equal(isRegression(of(0.8, 40), of(0.97, 320)), false)
    assert.equal(isRegression(of(1, 10), of(1, 10)), false)
  })
})

describe('fifty accounts of one network', () => {
  const ITEMS = 1000

  /** A thousand items of known quality, each with so many reports of accounts of different ages. */
  function itemsWith(reports: number, random: () => number): CountedReport[][] {
    return Array.from({ length: ITEMS }, (_, n) =>
      Array.from({ length: reports }, () =>
        voice({
          outcome: random() < (n + 0.5) / ITEMS ? 'worked' : 'failed',
          weight: [25, 50, 100, 100][Math.floor(random() * 4)]!,
        }),
      ),
    )
  }

  const placeOf = (bounds: readonly number[], at: number) => bounds.filter((bound) => bound > bounds[at]!).length

  /** By how many places an item moves at most, for every fifth of them, and whatever the network says. */
  function mostMoved(items: readonly CountedReport[][], network: (outcome: 'worked' | 'failed') => CountedReport[]) {
    const lower = (reports: readonly CountedReport[]) => figuresOf(reports)!.lower
    const bounds = items.map(lower)
    const moves = items.flatMap((reports, at) =>
      (at % 5 > 0 ? [] : (['worked', 'failed'] as const)).map((outcome) => {
        const after = bounds.with(at, lower([...reports, ...network(outcome)]))
        return Math.abs(placeOf(after, at) - placeOf(bounds, at))
      }),
    )
    return Math.max(...moves)
  }
  const fifty = (weight: number) => (outcome: 'worked' | 'failed') => many(50, { network: 'farm', outcome, weight })

  for (const [age, weight] of [
    ['new', 10],
    ['old', 100],
  ] as const) {
    it(`move an item by one place in a hundred at most, where they are ${age}`, () => {
      for (const reports of [30, 100]) {
        const moved = mostMoved(itemsWith(reports, randomFrom(reports)), fifty(weight))
        assert.ok(moved > 0 && moved <= ITEMS / 100, `${moved} places of ${ITEMS}, with ${reports} reports each`)
      }
    })
  }

  it('move it less far than one of them would alone', () => {
    const items = itemsWith(30, randomFrom(4))
    assert.ok(mostMoved(items, fifty(100)) < mostMoved(items, (outcome) => [voice({ outcome })]))
  })
})

describe('the rank of an item', () => {
  const known = (lower: number, weight = 300) => ({ lower, weight, accounts: MIN_ACCOUNTS })

  it('goes by the lower bound, then by downloads up to a thousand', () => {
    const order = [known(9_000), known(8_999), undefined, known(2_064)]
    const ranks = order.flatMap((figures) => [1_001, 1_000, 999, 0].map((downloads) => rankOf(figures, downloads)))
    assert.deepEqual(
      ranks,
      ranks.toSorted((a, b) => b - a),
    )
    assert.equal(rankOf(known(9_000), 1_001), rankOf(known(9_000), 1_000))
    assert.equal(new Set(ranks).size, ranks.length - order.length)
    assert.ok(Math.max(...ranks, rankOf(known(10_000), 10 ** 9)) < 2 ** 31)
  })

  it('does not go by few reports, nor by those of a crowd alone', () => {
    const unknown = rankOf(undefined, 5)
    assert.equal(rankOf(known(9_000, 299), 5), unknown)
    assert.equal(rankOf({ ...known(9_000), accounts: MIN_ACCOUNTS - 1 }, 5), unknown)
    assert.equal(rankOf(figuresOf(many(50, { network: 'farm' })), 5), unknown)
  })

  it('finds a thousand versions of known success at 30 reports each', () => {
    const random = randomFrom(9)
    const truth = Array.from({ length: 1_000 }, () => random())
    const ranks = truth.map((success) => {
      const reports = Array.from({ length: 30 }, () =>
        voice({
          outcome: random() < success ? 'worked' : 'failed',
          weight: [25, 50, 100, 100][Math.floor(random() * 4)]!,
        }),
      )
      return rankOf(figuresOf(reports), Math.floor(random() * 2_000))
    })
    const correlation = spearman(truth, ranks)
    assert.ok(correlation >= 0.9, `${correlation}`)
  })

  /** The rank correlation of two lists; equal values share the average of their places. */
  function spearman(a: readonly number[], b: readonly number[]): number {
    const places = (values: readonly number[]) =>
      values.map((value) => {
        const below = values.filter((other) => other < value).length
        return below + (values.filter((other) => other === value).length + 1) / 2
      })
    const [x, y] = [places(a), places(b)]
    const middle = (a.length + 1) / 2
    const sum = (of: (n: number) => number) => a.reduce((all, _, n) => all + of(n), 0)
    const both = sum((n) => (x[n]! - middle) * (y[n]! - middle))
    return both / Math.sqrt(sum((n) => (x[n]! - middle) ** 2) * sum((n) => (y[n]! - middle) ** 2))
  }
})

describe('the relevance of a name', () => {
  it('is the name itself, its beginning or that of a word, a part of it, or none', () => {
    const of = (name: string, slug = name) => relevanceOf('mail', { name, slug })
    assert.deepEqual(
      ['mail', 'mailer', 'night mail', 'gmail', 'digest'].map((name) => of(name)),
      [3, 2, 2, 1, 0],
    )
    assert.deepEqual([of('digest', 'mail'), of('digest', 'night-mail'), of('digest', 'gmail')], [3, 2, 1])
    assert.equal(relevanceOf('', { name: 'mail', slug: 'mail' }), 0)
  })
})
