import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { derived } from '../src/surfaces/derived/derive.ts'

for (const [path, make] of Object.entries(derived)) {
  it(`${path} is what the contracts say; if not, run npm run derive`, () => {
    assert.equal(readFileSync(path, 'utf8'), make())
  })
}
