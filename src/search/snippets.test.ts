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

  it('are beginnings once 100,000 characters were looked through', () => {
    const { snippet } = highlighter(new Set(['quokka']))
    const found = Array.from({ length: 7 }, () => isFound(snippet(long)))
    assert.deepEqual(found, [true, true, true, true, true, false, false])
    assert.ok(isFound(highlighter(new Set(['quokka'])).snippet(long)), 'another page has its own')
    const short = highlighter(new Set(['word']))
    for (let n = 0; n < 100; n++) assert.ok(isFound(short.snippet(long)), 'a match at the beginning costs little')
  })
})
