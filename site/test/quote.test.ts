import assert from 'node:assert/strict'
import { it } from 'node:test'
import { quoteOf } from '#lib/quote.ts'

it('A quote marks every line of what it quotes, however the line ends', () => {
  const quoted = quoteOf({ id: 'a', authorUsername: 'mira', body: 'one\r\ntwo\r\rthree\n> old\r> older\nfour' })
  const lines = quoted.trimEnd().split(/\r\n?|\n/)
  assert.ok(
    lines.every((line) => line.startsWith('>')),
    quoted,
  )
  assert.equal(lines.slice(2).join('\n'), '> one\n> two\n>\n> three\n> four')
})
