// The JSON reader, compared with JSON.parse.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacters } from '../../test/any-text.ts'
import { FormatError } from './format-error.ts'
import { JsonTokens } from './json-tokens.ts'

/** Whether the tokens come to their end, and the strings among them. */
function read(text: string): string[] | undefined {
  const tokens = new JsonTokens(Buffer.from(text))
  const strings: string[] = []
  try {
    for (let token = tokens.next(); token !== 'end'; token = tokens.next()) {
      if (token === 'string' || token === 'key') strings.push(tokens.text())
    }
    return strings
  } catch (error) {
    assert.ok(error instanceof FormatError, String(error))
    return undefined
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('the tokens of JSON', () => {
  it('are found in any JSON, however it is spaced', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.nat(4),
        (value, indent) => read(JSON.stringify(value, null, indent)) !== undefined,
      ),
    )
  })

  it('are accepted exactly where JSON.parse accepts the text', () => {
    const piece = fc.constantFrom(
      ...'{}[],:" \n0123-+.eE\\u/ab\t'.split(''),
      'true',
      'null',
      'false',
      '"a"',
      '"a":',
      '\\u00',
      '\u2028',
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
        (text) => {
          assert.equal(read(text) !== undefined, parses(text), text)
        },
      ),
      { numRuns: 5_000 },
    )
  })

  it('are accepted exactly where JSON.parse accepts the text, after one edit', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', '"', '}', ']', '0', '\\', '-', '\u0001'),
        (text, at, put) => {
          const edited = text.slice(0, at % text.length) + put + text.slice((at % text.length) + 1)
          assert.equal(read(edited) !== undefined, parses(edited), edited)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('give strings and keys as JSON.parse does', () => {
    fc.assert(
      fc.property(anyCharacters, (text) => {
        const wellFormed = text.toWellFormed()
        assert.deepEqual(read(JSON.stringify({ [wellFormed]: wellFormed })), [wellFormed, wellFormed])
      }),
      { numRuns: 30 },
    )
    assert.deepEqual(read('"\\ud83c\\udf88 \\ud800 \\n\\/"'), ['🎈 \ud800 \n/'])
  })

  it('nest as deeply as they like', () => {
    assert.deepEqual(read('['.repeat(1_000_000) + ']'.repeat(1_000_000)), [])
  })
})
