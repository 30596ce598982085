// SHA-256 as browsers compute it, against Node's.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Sha256 } from '../src/main.ts'

const expected = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('SHA-256', () => {
  it('is that of FIPS 180-4 for every length around a block', () => {
    for (let length = 0; length <= 260; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 7 + length) % 256)
      const hash = new Sha256()
      hash.update(bytes)
      assert.equal(hash.hex(), expected(bytes), `${length} bytes`)
    }
  })

  it('does not depend on how the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }), (chunks) => {
        const hash = new Sha256()
        for (const chunk of chunks) hash.update(chunk)
        assert.equal(hash.hex(), expected(Buffer.concat(chunks)))
      }),
    )
  })
})
