import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { csvLine } from './csv.ts'

describe('a cell of a table', () => {
  it('is guarded wherever a formula may begin', () => {
    const cases: [string, string][] = [
      ['=1', "'=1"],
      [' "=1', '" ""\'=1"'],
      [';=1', ";'=1"],
      ['a;  ;\t"+1', '"a;  ;\t""\'+1"'],
      ['a\n\n@b', '"a\n\n\'@b"'],
      ['\n-1', '"\'\n\'-1"'],
      ['a=1', 'a=1'],
      ['a;b=1', 'a;b=1'],
      ['', ''],
    ]
    for (const [text, cell] of cases) assert.equal(csvLine([text]), `${cell}\r\n`, JSON.stringify(text))
  })

  it('takes time as it is long and no longer', () => {
    for (const text of ['\n', ';', '"', '\n"', ';\t', '\r\n ', "='", 'a;']) {
      const before = performance.now()
      csvLine([`a${text.repeat(500_000)}`])
      assert.ok(performance.now() - before < 5_000, JSON.stringify(text))
    }
  })
})
