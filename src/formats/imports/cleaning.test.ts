// What of other trackers can be kept: times, ids, names, texts.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacters } from '../../../test/any-text.ts'
import { cleaned, momentOf, type RawRecord } from './cleaning.ts'
import { ImportRecord, MAX_TEXT } from './record.ts'

describe('a time', () => {
  const times: [given: unknown, time: string | undefined][] = [
    ['2023-06-10T08:00:00.123456', '2023-06-10T08:00:00.123Z'],
    ['2023-06-10T08:00:00.1Z', '2023-06-10T08:00:00.100Z'],
    ['2023-06-10T08:00:00+02:00', '2023-06-10T06:00:00.000Z'],
    ['2023-06-10 08:00:00 +0200', '2023-06-10T06:00:00.000Z'],
    ['2023-06-10 08:00:00+02', '2023-06-10T06:00:00.000Z'],
    ['2023-06-10 08:00 UTC', '2023-06-10T08:00:00.000Z'],
    ['2023-06-10', '2023-06-10T00:00:00.000Z'],
    ['10 Jun 2023 08:00', '2023-06-10T08:00:00.000Z'],
    ['Sat, 10 Jun 2023 08:00:00 GMT', '2023-06-10T08:00:00.000Z'],
    ['June 10, 2023', '2023-06-10T00:00:00.000Z'],
    [1_686_384_000, '2023-06-10T08:00:00.000Z'],
    [1_686_384_000_000, '2023-06-10T08:00:00.000Z'],
    ['2099-12-31T23:59:59Z', '2099-12-31T23:59:59.000Z'],
    ['2100-01-01T00:00:00Z', undefined],
    ['1970-01-01T23:59:59Z', undefined],
    ['1970-01-02T00:00:00Z', '1970-01-02T00:00:00.000Z'],
    ['0000-01-01T00:00:00Z', undefined],
    ['99999-01-01T00:00:00Z', undefined],
    ['06/10/2023', undefined],
    ['version 1', undefined],
    ['2023-13-01', undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [-1, undefined],
    [{}, undefined],
    [null, undefined],
  ]
  for (const [given, time] of times) {
    it(`${JSON.stringify(given)} is ${time ?? 'none'}`, () => {
      assert.equal(momentOf(given), time)
    })
  }
})

const createdAt = '2023-06-10T08:00:00Z'
const thing = { type: 'thing', id: 1, kind: 'bug', title: 'A', text: 'B', createdAt } as const

function recordOf(found: RawRecord) {
  const clean = cleaned(found)
  assert.ok('record' in clean, JSON.stringify(clean))
  return clean.record
}
const reasonOf = (found: RawRecord) => {
  const clean = cleaned(found)
  return 'reason' in clean ? clean.reason : undefined
}

describe('a record', () => {
  it('loses what it can be without', () => {
    const odd = {
      url: 'javascript:alert(1)',
      number: 2_000_000_001,
      updatedAt: 'then',
      isLocked: 'yes',
      labels: [1, ' ', 'a', 'a'],
    }
    assert.deepEqual(recordOf({ ...thing, ...odd }), {
      type: 'thing',
      id: '1',
      kind: 'bug',
      title: 'A',
      text: 'B',
      labels: ['a'],
      createdAt: '2023-06-10T08:00:00.000Z',
    })
    assert.deepEqual(recordOf({ type: 'person', id: 'a', username: ' a\nb ', email: 'no address', name: 7 }), {
      type: 'person',
      id: 'a',
      username: 'a b',
    })
    assert.deepEqual(recordOf({ type: 'label', name: 'a', color: 'red' }), { type: 'label', name: 'a' })
    assert.deepEqual(recordOf({ type: 'label', name: 'a', color: 'FfF' }), {
      type: 'label',
      name: 'a',
      color: '#ffffff',
    })
  })

  it('has a reason where it cannot be without', () => {
    assert.equal(reasonOf({ ...thing, title: 7 }), 'things whose title cannot be read')
    assert.equal(reasonOf({ ...thing, text: {} }), 'things whose text cannot be read')
    assert.equal(reasonOf({ ...thing, id: 'x'.repeat(201) }), 'things whose id cannot be read')
    assert.equal(reasonOf({ ...thing, id: 'a\nb' }), 'things whose id cannot be read')
    assert.equal(reasonOf({ ...thing, createdAt: undefined }), 'things whose createdAt cannot be read')
    assert.equal(reasonOf({ type: 'person', id: 1, username: '' }), 'people whose username cannot be read')
    assert.equal(reasonOf({ type: 'label', name: '' }), 'labels whose name cannot be read')
    assert.equal(reasonOf({ type: 'vote', thing: 1, person: null, value: 1 }), 'votes whose person cannot be read')
  })

  it('has texts of at most so many characters', () => {
    const long = { ...thing, text: 'x'.repeat(MAX_TEXT) }
    assert.deepEqual(cleaned(long), { record: recordOf(long), lost: [] })
    const longer = cleaned({ ...thing, text: 'x'.repeat(MAX_TEXT + 1) })
    assert.ok('record' in longer && longer.lost.length === 1)
  })

  it('passes for any texts, or has a reason', () => {
    const anything = fc.oneof(anyCharacters, fc.jsonValue(), fc.double())
    fc.assert(
      fc.property(anything, anything, anything, anything, (one, two, three, four) => {
        const raws: RawRecord[] = [
          { ...thing, id: one, title: two, text: three, labels: [four, one], url: two, author: four, createdAt: one },
          { ...thing, title: one, text: two, stateWords: three, number: four },
          { type: 'person', id: one, username: two, name: three, email: four },
          { type: 'label', name: one, color: two, description: three },
          { type: 'comment', id: one, thing: two, parent: three, text: four, createdAt },
        ]
        for (const raw of raws) {
          const clean = cleaned(raw)
          if ('record' in clean) assert.ok(ImportRecord.safeParse(clean.record).success)
          else assert.ok(clean.reason.length < 200)
        }
      }),
    )
  })
})
