// What the editor's buttons and keys do to a text: pure, so that a test can look at it. A change names what is replaced, by what, and
// what is selected after it.

export interface Selected {
  value: string
  start: number
  end: number
}

export interface Change {
  from: number
  to: number
  text: string
  /** What is selected after it. */
  start: number
  end: number
}

/** Puts marks around what is selected, or takes them away where they are there. */
export function wrap({ value, start, end }: Selected, mark: string): Change {
  const { length } = mark
  // Spaces at the edges stay outside of the marks, as Markdown wants it.
  const inner = value.slice(start, end)
  const from = start + (inner.length - inner.trimStart().length)
  const to = Math.max(from, end - (inner.length - inner.trimEnd().length))
  const text = value.slice(from, to)
  const isWithin = text.length >= 2 * length && text.startsWith(mark) && text.endsWith(mark)
  if (isWithin) return replaced(from, to, text.slice(length, text.length - length))
  if (value.slice(from - length, from) === mark && value.slice(to, to + length) === mark)
    return replaced(from - length, to + length, text)
  return { from, to, text: mark + text + mark, start: from + length, end: to + length }
}

const replaced = (from: number, to: number, text: string): Change => ({
  ...{ from, to, text },
  ...{ start: from, end: from + text.length },
})

/** Code within a line; several lines become a block, whose language is typed next. */
export function code(selected: Selected): Change {
  const { value, start, end } = selected
  const text = value.slice(start, end)
  if (!text.includes('\n')) return wrap(selected, '`')
  const before = start === 0 || value[start - 1] === '\n' ? '' : '\n'
  const after = end === value.length || value[end] === '\n' ? '' : '\n'
  const place = start + before.length + 3
  return {
    ...{ from: start, to: end, text: `${before}\`\`\`\n${text.replace(/\n$/, '')}\n\`\`\`${after}` },
    ...{ start: place, end: place },
  }
}

const ADDRESS = /^https?:\/\/\S+$/

/** A link: an address that is selected becomes its address, other words its text. */
export function link({ value, start, end }: Selected, address?: string): Change {
  const text = value.slice(start, end)
  if (ADDRESS.test(text)) return { from: start, to: end, text: `[](${text})`, start: start + 1, end: start + 1 }
  const to = address ?? 'url'
  const place = start + text.length + 3
  const at = { start: place, end: place + to.length }
  if (address !== undefined) at.start = at.end = place + to.length + 1
  if (text === '') at.start = at.end = start + 1
  return { from: start, to: end, text: `[${text}](${to})`, ...at }
}

const LINE = { list: '- ', numbered: '1. ', task: '- [ ] ', quote: '> ', heading: '### ' } as const
export type LineMark = keyof typeof LINE
const MARKED = /^(?:- \[[ xX]\] |- |\d+\. |> |#{1,6} )/

/** Begins each selected line with a mark, in place of another one; where all have it already, takes it away. */
export function lines({ value, start, end }: Selected, mark: LineMark): Change {
  const from = value.lastIndexOf('\n', start - 1) + 1
  const after = value.indexOf('\n', Math.max(start, end > start && value[end - 1] === '\n' ? end - 1 : end))
  const to = after < 0 ? value.length : after
  const old = value.slice(from, to).split('\n')
  const has = (line: string) => (mark === 'numbered' ? /^\d+\. /.test(line) : MARKED.exec(line)?.[0] === LINE[mark])
  const isOn = old.every(has)
  const made = old.map((line, index) => {
    // A quote may hold anything: its mark comes before others.
    const bare = isOn || mark !== 'quote' ? line.replace(MARKED, '') : line
    if (isOn) return bare
    return (mark === 'numbered' ? `${index + 1}. ` : LINE[mark]) + bare
  })
  const text = made.join('\n')
  const place = from + text.length
  return { from, to, text, start: old.length > 1 ? from : place, end: place }
}

const ITEM = /^(\s*)(?:(- \[)[ xX](\] )|(- |> )|(\d+)(\. ))(.*)$/

/** What Enter does in a list or a quote: the next item, or the end of the list after an empty one; undefined elsewhere. */
export function nextItem({ value, start, end }: Selected): Change | undefined {
  if (start !== end) return undefined
  const from = value.lastIndexOf('\n', start - 1) + 1
  const item = ITEM.exec(value.slice(from, start))
  if (!item) return undefined
  const [, indent = '', box, boxEnd, sign, number, dot, words] = item
  if (words === '') return { from, to: start, text: '', start: from, end: from }
  const mark = box ? `${box} ${boxEnd}` : (sign ?? `${Number(number) + 1}${dot}`)
  const text = `\n${indent}${mark}`
  return { from: start, to: start, text, start: start + text.length, end: start + text.length }
}

/** The word before the caret that asks for suggestions: `@mi`, `#12`, `#dark mo`. */
export function asked({ value, start, end }: Selected): { sign: '@' | '#'; words: string; from: number } | undefined {
  if (start !== end) return undefined
  const line = value.slice(value.lastIndexOf('\n', start - 1) + 1, start)
  const found = /(?:^|[\s([{,;])([@#])([\w-]{0,40}|[\p{L}\p{N}][\p{L}\p{N} _-]{0,40})$/u.exec(line)
  if (!found) return undefined
  const [, sign, words = ''] = found
  if (sign !== '@' && sign !== '#') return undefined
  // A name is one word; `# Title` is a heading.
  if (words.startsWith(' ') || (sign === '@' && words.includes(' '))) return undefined
  return { sign, words, from: start - words.length - 1 }
}
