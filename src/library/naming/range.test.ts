// Ranges of versions: the rules are npm's, and these are examples of its documentation.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readRange } from './choosing.ts'

const versions = [
  '0.2.3',
  '0.3.0',
  '1.2.3',
  '1.2.9',
  '1.3.0',
  '1.9.0',
  '2.0.0-beta.1',
  '2.0.0-beta.4',
  '2.0.0',
  '3.1.0',
]

const within = (range: string) => versions.filter((version) => readRange(range)!.has(version))

it('Ranges are those of npm', () => {
  const cases: [range: string, expected: string[]][] = [
    ['^1.2.3', ['1.2.3', '1.2.9', '1.3.0', '1.9.0']],
    ['^0.2.3', ['0.2.3']],
    ['~1.2.3', ['1.2.3', '1.2.9']],
    ['~1', ['1.2.3', '1.2.9', '1.3.0', '1.9.0']],
    ['1.x', ['1.2.3', '1.2.9', '1.3.0', '1.9.0']],
    ['1.2', ['1.2.3', '1.2.9']],
    ['1.2.9 - 1.9', ['1.2.9', '1.3.0', '1.9.0']],
    ['>=1.3 <3', ['1.3.0', '1.9.0', '2.0.0']],
    ['<1 || >=3', ['0.2.3', '0.3.0', '3.1.0']],
    ['=v1.2.3', ['1.2.3']],
    ['>1.9.0 <2.0.0', []],
  ]
  for (const [range, expected] of cases) assert.deepEqual(within(range), expected, range)
})

it('A prerelease is in a range that names one of the same version', () => {
  assert.deepEqual(within('>=2.0.0-beta.2 <3'), ['2.0.0-beta.4', '2.0.0'])
  assert.deepEqual(within('^2.0.0-beta'), ['2.0.0-beta.1', '2.0.0-beta.4', '2.0.0'])
  assert.deepEqual(within('^1.0.0-beta'), ['1.2.3', '1.2.9', '1.3.0', '1.9.0'])
})

it('What npm cannot read is no range, and a version that it cannot read is in none', () => {
  for (const text of ['newest', 'git://example.com', '1.2.3.4', '>', '^^1', `^1.${'0'.repeat(300)}`]) {
    assert.equal(readRange(text), undefined, text)
  }
  assert.equal(readRange('>=1')!.has('1.0.90071992547409930'), false)
  assert.ok(readRange(`>=${' '.repeat(253)}1`))
  assert.equal(readRange(`>=${' '.repeat(254)}1`), undefined)
})
