// The difference of two texts: word by word for the history of what was edited, line by line for files.

export interface Part {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** Of a table of words by words; a larger difference is shown as a whole. A title or a comment is far below it. */
const MAX_CELLS = 250_000

const wordsOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** What stayed, went and came, in order. The parts that stayed and went are the text before, those that stayed and came the text after. */
export const diffOf = (before: string, after: string): Part[] =>
  phrases(joined(differenceOf(wordsOf(before), wordsOf(after))))

/** Lines that changed, with some that stayed around them. */
export interface Hunk {
  /** The number of its first line in either text, from 1. */
  from_line: number
  to_line: number
  parts: Part[]
}

const CONTEXT_LINES = 3

/** What changed between two texts, line by line. */
export function lineDiffOf(before: string, after: string): Hunk[] {
  const parts = differenceOf(linesOf(before), linesOf(after))
  const hunks: Hunk[] = []
  let [from, to, lastChange] = [1, 1, Number.NEGATIVE_INFINITY]
  const next = (at: number) => parts.slice(at, at + CONTEXT_LINES + 1).some(({ kind }) => kind !== 'same')
  let hunk: Hunk | undefined
  for (const [at, part] of parts.entries()) {
    if (part.kind !== 'same') lastChange = at
    if (next(at) || at - lastChange <= CONTEXT_LINES) {
      if (!hunk) {
        hunk = { from_line: from, to_line: to, parts: [] }
        hunks.push(hunk)
      }
      hunk.parts.push(part)
    } else hunk = undefined
    if (part.kind !== 'added') from += 1
    if (part.kind !== 'removed') to += 1
  }
  return hunks.map((one) => ({ ...one, parts: joined(one.parts) }))
}

function differenceOf(old: readonly string[], now: readonly string[]): Part[] {
  const shortest = Math.min(old.length, now.length)
  let start = 0
  while (start < shortest && old[start] === now[start]) start++
  let end = 0
  while (end < shortest - start && old.at(-1 - end) === now.at(-1 - end)) end++
  const middle = between(old.slice(start, old.length - end), now.slice(start, now.length - end))
  return [
    ...old.slice(0, start).map((text): Part => ({ kind: 'same', text })),
    ...middle,
    ...old.slice(old.length - end).map((text): Part => ({ kind: 'same', text })),
  ]
}

/** By the longest common subsequence: `common[i][j]` is its length from word i of the one and j of the other on. */
function between(old: readonly string[], now: readonly string[]): Part[] {
  const removed = (text: string): Part => ({ kind: 'removed', text })
  const added = (text: string): Part => ({ kind: 'added', text })
  if (old.length * now.length > MAX_CELLS) return [...old.map(removed), ...now.map(added)]
  const width = now.length + 1
  const common = new Uint16Array((old.length + 1) * width)
  const at = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const parts: Part[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    const [before, after] = [old[i], now[j]]
    if (before !== undefined && before === after) {
      parts.push({ kind: 'same', text: before })
      i++
      j++
    } else if (before !== undefined && (after === undefined || at(i + 1, j) >= at(i, j + 1))) {
      parts.push(removed(before))
      i++
    } else {
      parts.push(added(after ?? ''))
      j++
    }
  }
  return parts
}

/** Neighbours of one kind as one part. */
function joined(parts: readonly Part[]): Part[] {
  const result: Part[] = []
  for (const { kind, text } of parts) {
    const last = result.at(-1)
    if (last?.kind === kind) last.text += text
    else result.push({ kind, text })
  }
  return result
}

/** Words that were replaced one after the other as one phrase: a space between them did not stay by itself. */
function phrases(parts: readonly Part[]): Part[] {
  const isChange = (part: Part | undefined) => part !== undefined && part.kind !== 'same'
  const result: Part[] = []
  for (let at = 0; at < parts.length; ) {
    let end = at
    while (isChange(parts[end]) || (end > at && parts[end]?.text.trim() === '' && isChange(parts[end + 1]))) end++
    const phrase = parts.slice(at, Math.max(end, at + 1))
    at += phrase.length
    const kinds = new Set(phrase.map(({ kind }) => kind))
    const of = (kind: 'removed' | 'added') => phrase.filter((part) => part.kind === kind || part.kind === 'same')
    if (!kinds.has('removed') || !kinds.has('added')) result.push(...phrase)
    else for (const kind of ['removed', 'added'] as const) result.push({ kind, text: textOf(of(kind)) })
  }
  return result
}

const textOf = (parts: readonly Part[]) => parts.map(({ text }) => text).join('')
