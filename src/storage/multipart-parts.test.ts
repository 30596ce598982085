// Counting the parts of a body, wherever it is cut.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { boundaryOf, PartCounter } from './multipart-parts.ts'

it('counts the same for any split into chunks', () => {
  const piece = fc.constantFrom('\r\n--b', '--b', '\r\n', '-', '\r', '\n', 'b', 'bb', 'x', '\r\n--', '--b--')
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }),
      fc.array(fc.nat(6), { minLength: 60, maxLength: 60 }),
      (pieces, cuts) => {
        const body = Buffer.from(pieces.join(''))
        const expected = `\r\n${body}`.split('\r\n--b').length - 1
        const counter = new PartCounter('b')
        let at = 0
        let count = 0
        for (const cut of cuts) {
          count = counter.count(body.subarray(at, at + cut))
          at += cut
        }
        count = counter.count(body.subarray(at))
        assert.equal(count, expected)
      },
    ),
    { numRuns: 2_000 },
  )
})

it('finds the boundary where there is one', () => {
  const of = (type: string) => boundaryOf(`multipart/form-data; ${type}`)
  assert.deepEqual(
    [of('boundary=a'), of('boundary="a b"; x=y'), of('x=y; boundary=a;z'), of(`boundary=${'a'.repeat(71)}`), of('b=a')],
    ['a', 'a b', 'a', undefined, undefined],
  )
  assert.equal(boundaryOf('text/plain; boundary=a'), undefined)
})
