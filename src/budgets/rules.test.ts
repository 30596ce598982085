// Figures, networks and headers as they are written.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConfig } from '../config/config.ts'
import { networkOf, subnetOf } from './network.ts'
import { budgetInWords, bytesInWords, defaultBudgets, parseBudgets, rateLimitHeaders } from './rules.ts'
import { defaultParts } from './table.ts'

describe('the setting of budgets', () => {
  it('takes the defaults as docs/settings.md writes them', () =>
    assert.deepEqual(parseBudgets(defaultParts().join('; ')), defaultBudgets))

  it('changes what it names', () => {
    const budgets = parseBudgets(
      'topics: 60/hour 400/day, 10/hour; bytes: 10GB, 100 MB; mails: off, 40/hour, off; young: 1 day; newcomers: off, 1MB; signups: 9/hour, off, 2/day',
    )!
    assert.deepEqual(budgets.topics, {
      verified: [
        { count: 60, windowSeconds: 3600 },
        { count: 400, windowSeconds: 86_400 },
      ],
      unverified: [{ count: 10, windowSeconds: 3600 }],
    })
    assert.deepEqual(budgets.bytes, { verified: 10 * 1024 ** 3, unverified: 100 * 1024 ** 2 })
    assert.deepEqual(budgets.mails, { address: [], network: [{ count: 40, windowSeconds: 3600 }], all: [] })
    assert.equal(budgets.youngSeconds, 86_400)
    assert.deepEqual(budgets.newcomers, { network: Number.POSITIVE_INFINITY, subnet: 1024 ** 2 })
    assert.deepEqual(budgets.signups, {
      network: [{ count: 9, windowSeconds: 3600 }],
      address: [],
      subnet: [{ count: 2, windowSeconds: 86_400 }],
    })
    assert.equal(budgets.votes, defaultBudgets.votes)
  })

  it('of nothing changes nothing', () => {
    assert.deepEqual(readConfig({}).budgets, defaultBudgets)
    assert.deepEqual(parseBudgets(' ; '), defaultBudgets)
  })

  for (const bad of [
    'topics',
    'topics: 60/hour',
    'topics: 60/week, 1/hour',
    'topics: many, 1/hour',
    'topics: -1/hour, 1/hour',
    'posts: 1/hour, 1/hour',
    'bytes: 10GB',
    'bytes: 10, 10',
    'mails: 1/hour, 1/hour',
    'young: soon',
    'constructor: 1/hour, 1/hour',
    '{"topics": 1}',
  ]) {
    it(`refuses ${bad} with a sentence`, () => {
      assert.throws(
        () => readConfig({ BUDGETS: bad }),
        /^ConfigError: BUDGETS is ".*"; set it to parts such as topics: /s,
      )
    })
  }
})

describe('a network', () => {
  it('is an IPv4 /24, however it is written', () => {
    for (const address of ['192.0.2.1', '192.0.2.255', '::ffff:192.0.2.9', '::FFFF:c000:0209']) {
      assert.equal(networkOf(address), '192.0.2')
    }
    assert.notEqual(networkOf('192.0.3.1'), '192.0.2')
  })

  it('has homes of a /64, of IPv6 alone', () => {
    assert.equal(subnetOf('2001:DB8:0:01::7'), '2001:db8:0:1')
    assert.equal(subnetOf('2001:db8::7'), '2001:db8:0:0')
    for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201', '::1'])
      assert.equal(subnetOf(address), undefined)
  })

  it('is an IPv6 /48, however it is written', () => {
    for (const address of ['2001:db8:1::1', '2001:0db8:0001:ffff::', '2001:DB8:1:2:3:4:5:6%eth0']) {
      assert.equal(networkOf(address), '2001:db8:1')
    }
    assert.notEqual(networkOf('2001:db8:2::1'), '2001:db8:1')
    assert.equal(networkOf('::1'), '0:0:0')
  })
})

it('Headers are structured fields: lists of strings with parameters', () => {
  const window = { seconds: 3600, resetsInSeconds: 60 }
  const standings = [
    { policy: 'votes-hour', quota: 600, remaining: 599, window },
    { policy: 'bytes', quota: 20, remaining: 3, unit: 'content-bytes' as const },
  ]
  assert.deepEqual(rateLimitHeaders(standings), {
    'RateLimit-Policy': '"votes-hour";q=600;w=3600, "bytes";q=20;qu="content-bytes"',
    RateLimit: '"votes-hour";r=599;t=60, "bytes";r=3',
  })
  assert.deepEqual(rateLimitHeaders([]), {})
})

it('Budgets have a description in words', () => {
  assert.equal(
    budgetInWords('topics'),
    '30 an hour, 200 a day; 5 an hour until the email is verified (bugs, feature requests and posts)',
  )
  assert.deepEqual(
    [bytesInWords(2 * 1024 ** 3), bytesInWords(20 * 1024 ** 2), bytesInWords(1536)],
    ['2 GB', '20 MB', '1.5 KB'],
  )
})
