// A result is the same JSON whether its structure is written again or is what REST has written.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { structureOf } from './schema.ts'
import { jsonOfResult, keepWritten } from './written.ts'

const answers = [
  { items: [{ title: 'a "b"\n\\' }], next: null },
  {},
  { b: 1, 7: 'a number comes first' },
  { name: 'a', writtenBy: 'a bot' },
]

describe('the JSON of a result', () => {
  it('is that of its structure, whatever names it has', () => {
    for (const answer of answers) {
      for (const more of [{}, { resultType: 'complete', _meta: { a: 1 } }]) {
        const structuredContent = structureOf(answer, { isPlain: true })
        const result = { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent }
        const before = jsonOfResult(result, more)
        keepWritten(structuredContent, answer, JSON.stringify(answer))
        assert.equal(jsonOfResult(result, more), before)
        assert.equal(before, JSON.stringify({ ...result, ...more }))
      }
    }
    assert.equal(jsonOfResult({ content: [], isError: true }), '{"content":[],"isError":true}')
  })

  it('is what was written before, where it is known', () => {
    const structuredContent = structureOf({ a: 1 })
    keepWritten(structuredContent, { a: 1 }, '{"a":2}')
    assert.match(
      jsonOfResult({ content: [], structuredContent }),
      /^\{"content":\[\],"structuredContent":\{"writtenBy":"[^"]+","a":2\}\}$/,
    )
  })
})
