// Typing errors: how far words are apart, and which of a list of words is meant. Pure.

/** So many edits are corrected in a word of this length: none in short ones. */
export const editsFor = (word: string): 0 | 1 | 2 => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2)

/**
 * The number of letters to insert, remove, replace or swap with the next one to get from one word to the other; `most + 1` for any
 * more than `most`.
 */
export function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, beforeLast[j - 2]! + 1)
      row.push(least)
    }
    if (Math.min(...row) > most) return most + 1
    beforeLast = last
    last = row
  }
  return Math.min(last[b.length]!, most + 1)
}

/** A word of the vocabulary. */
export interface VocabularyWord {
  word: string
  term: string
  /** How many of the counted documents have it. */
  count: number
}

/** The words that are nearest to a wrong one, by the number of edits; none if all are too far. */
export function nearest(wrong: string, known: Iterable<string>): string[] {
  const most = editsFor(wrong)
  const letters = lettersOf(wrong)
  let near: string[] = []
  let least: number = most
  for (const word of known) {
    // An edit changes at most two of the letters that a word has.
    if (word === wrong || bitsOf(letters ^ lettersOf(word)) > 2 * least) continue
    const edits = distance(wrong, word, least)
    if (edits > least) continue
    if (edits < least) near = []
    least = edits
    near.push(word)
  }
  return near
}

/** A bit for each letter of a word; some share one. */
function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters
}

function bitsOf(letters: number): number {
  let count = 0
  for (let left = letters; left !== 0; left &= left - 1) count++
  return count
}

const MAX_CORRECTIONS = 4

/** Of words that are as near those that begin in the same way, and then those that are used most. */
export function mostUsed(wrong: string, near: readonly VocabularyWord[]): VocabularyWord[] {
  const begins = ({ word }: VocabularyWord) => (word[0] === wrong[0] ? 0 : 1)
  return near
    .toSorted((a, b) => begins(a) - begins(b) || b.count - a.count || (a.word < b.word ? -1 : 1))
    .slice(0, MAX_CORRECTIONS)
}
