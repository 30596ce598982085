// The difference of two texts holds both of them.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { diffOf } from './text-diff.ts'

const without = (kind: 'removed' | 'added', before: string, after: string) =>
  diffOf(before, after)
    .filter((part) => part.kind !== kind)
    .map(({ text }) => text)
    .join('')

describe('the difference of two texts', () => {
  it('is word by word', () => {
    assert.deepEqual(diffOf('It stops on start', 'It often stops on start.'), [
      { kind: 'same', text: 'It ' },
      { kind: 'added', text: 'often ' },
      { kind: 'same', text: 'stops on start' },
      { kind: 'added', text: '.' },
    ])
    assert.deepEqual(diffOf('a b c', 'a x c'), [
      { kind: 'same', text: 'a ' },
      { kind: 'removed', text: 'b' },
      { kind: 'added', text: 'x' },
      { kind: 'same', text: ' c' },
    ])
    assert.deepEqual(diffOf('It is one two three now', 'It is four five six now'), [
      { kind: 'same', text: 'It is ' },
      { kind: 'removed', text: 'one two three' },
      { kind: 'added', text: 'four five six' },
      { kind: 'same', text: ' now' },
    ])
    assert.deepEqual(diffOf('', 'new'), [{ kind: 'added', text: 'new' }])
    assert.deepEqual(diffOf('same', 'same'), [{ kind: 'same', text: 'same' }])
  })

  it('has all of both texts, in any language', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', ' ', '\n', 'Größe', '👍', '日本', '.'))
      .map((words) => words.join(''))
    fc.assert(
      fc.property(text, text, (before, after) => {
        assert.equal(without('added', before, after), before)
        assert.equal(without('removed', before, after), after)
      }),
    )
  })

  it('takes little time for the longest texts that have nothing in common', () => {
    const [before, after] = ['a '.repeat(1000), 'b\n'.repeat(1000)]
    const started = process.cpuUsage()
    assert.equal(without('added', before, after), before)
    const { user } = process.cpuUsage(started)
    assert.ok(user < 200_000, `${user} microseconds`)
  })
})
