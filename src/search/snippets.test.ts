// What a hit shows of its text.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { highlighter } from './snippets.ts'

const isFound = (parts: readonly { match: boolean }[]) => parts.some(({ match }) => match)

describe('the snippets of a page', () => {
  const long = `${'word '.repeat(3_990)}quokka`

  it('are around the first match, wherever it is', () => {
    const [before, ...parts] = highlighter(new Set(['quokka'])).snippet(long)
    assert.equal(before?.text, '…')
    assert.deepEqual(parts.at(-1), { text: 'quokka', match: true })
  })

  it('have one ellipsis where they are cut, whatever dots the text has there', () => {
    for (const dots of ['…', '...', '… ']) {
      for (let length = 0; length < 60; length++) {
        const text = `${'w '.repeat(40)}${dots}${'a'.repeat(length)} quokka ${'c '.repeat(60 + length / 2)}${dots}${'d '.repeat(90)}`
        const parts = highlighter(new Set(['quokka'])).snippet(text)
        const shown = parts.map((part) => part.text).join('')
        assert.match(shown, /^…[^….]/, shown)
        assert.match(shown, /[^….]…$/, shown)
      }
    }
  })

  it('are beginnings once 100,000 characters were looked through', () => {
    const { snippet } = highlighter(new Set(['quokka']))
    const found = Array.from({ length: 7 }, () => isFound(snippet(long)))
    assert.deepEqual(found, [true, true, true, true, true, false, false])
    assert.ok(isFound(highlighter(new Set(['quokka'])).snippet(long)), 'another page has its own')
    const short = highlighter(new Set(['word']))
    for (let n = 0; n < 100; n++) assert.ok(isFound(short.snippet(long)), 'a match at the beginning costs little')
  })
})
