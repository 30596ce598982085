import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { asked, type Change, code, lines, link, nextItem, wrap } from '../src/enhance/writing.ts'

/** A text with what is selected between two bars, or the caret at one. */
function read(text: string) {
  const start = text.indexOf('|')
  const end = text.indexOf('|', start + 1)
  const value = text.replaceAll('|', '')
  return { value, start, end: end < 0 ? start : end - 1 }
}
function made(text: string, change: (selected: ReturnType<typeof read>) => Change | undefined): string | undefined {
  const selected = read(text)
  const done = change(selected)
  if (!done) return undefined
  const { from, to, text: put, start, end } = done
  const value = selected.value.slice(0, from) + put + selected.value.slice(to)
  return start === end
    ? `${value.slice(0, start)}|${value.slice(start)}`
    : `${value.slice(0, start)}|${value.slice(start, end)}|${value.slice(end)}`
}

describe('the editor of a text', () => {
  it('puts marks around what is selected, and takes them away again', () => {
    const bold = (text: string) => made(text, (selected) => wrap(selected, '**'))
    assert.equal(bold('a |b| c'), 'a **|b|** c')
    assert.equal(bold('a **|b|** c'), 'a |b| c')
    assert.equal(bold('a |**b**| c'), 'a |b| c')
    assert.equal(bold('a| b |c'), 'a **|b|** c')
    assert.equal(bold('|'), '**|**')
    assert.equal(bold('**|**'), '|')
  })
  it('makes code of words, and a block of lines', () => {
    assert.equal(made('a |b|', code), 'a `|b|`')
    assert.equal(made('|a\nb|', code), '```|\na\nb\n```')
    assert.equal(made('x |a\nb\n|y', code), 'x \n```|\na\nb\n```\ny')
  })
  it('links words to an address, and an address to words', () => {
    assert.equal(
      made('|a|', (selected) => link(selected)),
      '[a](|url|)',
    )
    assert.equal(
      made('|https://a.example/b|', (selected) => link(selected)),
      '[|](https://a.example/b)',
    )
    assert.equal(
      made('|a|', (selected) => link(selected, 'https://b.example')),
      '[a](https://b.example)|',
    )
    assert.equal(
      made('|', (selected) => link(selected)),
      '[|](url)',
    )
  })
  it('begins lines with a mark, changes it, and takes it away where all have it', () => {
    const list = (text: string) => made(text, (selected) => lines(selected, 'list'))
    assert.equal(list('a\nb|'), 'a\n- b|')
    assert.equal(list('|a\nb|'), '|- a\n- b|')
    assert.equal(list('|- a\n- b|'), '|a\nb|')
    assert.equal(list('|a\n|b'), '- a|\nb')
    assert.equal(list('1. a|'), '- a|')
    assert.equal(
      made('|a\nb|', (selected) => lines(selected, 'numbered')),
      '|1. a\n2. b|',
    )
    assert.equal(
      made('- a|', (selected) => lines(selected, 'task')),
      '- [ ] a|',
    )
    assert.equal(
      made('- a|', (selected) => lines(selected, 'quote')),
      '> - a|',
    )
    assert.equal(
      made('## a|', (selected) => lines(selected, 'heading')),
      '### a|',
    )
  })
  it('goes on with a list, and ends it after an empty item', () => {
    assert.equal(made('- a|', nextItem), '- a\n- |')
    assert.equal(made('  9. a|b', nextItem), '  9. a\n  10. |b')
    assert.equal(made('- [x] a|', nextItem), '- [x] a\n- [ ] |')
    assert.equal(made('- a\n- |', nextItem), '- a\n|')
    assert.equal(made('a|', nextItem), undefined)
    assert.equal(made('- |a|', nextItem), undefined)
  })
  it('knows a name, a number and words that are typed', () => {
    const word = (text: string) => {
      const found = asked(read(text))
      return found && [found.sign, found.words, found.from]
    }
    assert.deepEqual(word('hi @mi|'), ['@', 'mi', 3])
    assert.deepEqual(word('(#12|'), ['#', '12', 1])
    assert.deepEqual(word('#dark mo|'), ['#', 'dark mo', 0])
    for (const other of ['a@b|', '# Title|', '## |', '@a b|', 'http://a#b|', '#|a|', `#${'x'.repeat(80)}|`])
      assert.equal(word(other), undefined, other)
  })
})
