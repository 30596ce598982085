// Fills the search with documents of every type: words are as common as they are in texts of people, the n-th in every n-th document.
import type { SearchType } from '../../src/contract/kinds.ts'
import { isCounted, reversedOf, termsOf } from '../../src/search/document.ts'
import { ALL, blockOf } from '../../src/search/queries.ts'
import { addAccounts, userId } from './fill-accounts.ts'
import { type Filling, fillDatabase, type Row } from './filling.ts'
import { each, idOf, moment, random } from './made-up.ts'

const USERS = 10_000
const WORDS = 60_000
const TITLE = 6
const BODY = 40

const syllables = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu za che dro fla gri pla spo tri'.split(
  ' ',
)

/** A word that looks like one; each number has its own. */
export function wordOf(index: number): string {
  let word = ''
  for (let left = index + syllables.length; left > 0; left = Math.floor(left / syllables.length)) {
    word += syllables[left % syllables.length]
  }
  return word
}

/** The lower the number, the more often it comes: as often as Zipf says, about. */
const anyWord = (seed: number) => wordOf(Math.floor(WORDS ** (random(seed, 1_000_000) / 1_000_000)) - 1)
const textOf = (seed: number, length: number) => Array.from({ length }, (_, at) => anyWord(seed * 61 + at)).join(' ')

export const titleOf = (index: number): string => textOf(index * 2, TITLE)

/** Two of three are comments; the rest is shared by the others. */
const shares: readonly [type: SearchType, share: number][] = [
  ['comment', 0.66],
  ['bug', 0.1],
  ['feature', 0.06],
  ['post', 0.1],
  ['org', 0.01],
  ['workflow', 0.05],
  ['automation', 0.02],
]

/** Makes the database at `url` with so many documents. */
export async function fillSearch(url: string, count: number): Promise<void> {
  await fillDatabase(url, async (into) => {
    await addAccounts(into, USERS)
    const counts = new Map<string, number>()
    let begun = 0
    for (const [type, share] of shares) {
      const size = Math.floor(count * share)
      await addDocuments(into, { type, size, begun, counts })
      begun += size
    }
    await into.add(
      'searchWord',
      each(WORDS, (index) => {
        const word = wordOf(index)
        const [term = word] = termsOf({ title: '', names: '', body: word }).terms
        return { word, term, length: word.length, reversed: reversedOf(word) }
      }),
    )
    await into.add(
      'searchCount',
      [...counts].map(([term, n]): Row => ({ term, count: n })),
    )
  })
}

interface Part {
  type: SearchType
  size: number
  /** How many documents there are before. */
  begun: number
  counts: Map<string, number>
}

/** So many are in memory at once. */
const AT_ONCE = 10_000

async function addDocuments(into: Filling, { type, size, begun, counts }: Part): Promise<void> {
  const { end } = blockOf(type)
  const on = type === 'comment' ? ['blog', 'what-guildhall-is'] : [null, null]
  const [parentType = null, parentId = null] = on
  // The newest first, as their numbers ascend.
  const make = (at: number) => {
    const index = size - 1 - at
    const seed = begun + index
    const texts = { title: type === 'comment' ? '' : titleOf(seed), names: '', body: textOf(seed * 2 + 1, BODY) }
    const { terms } = termsOf(texts)
    const id = idOf('e100', seed)
    const counted = isCounted(id) ? 1 : 0
    if (counted) for (const term of [ALL, ...terms]) counts.set(term, (counts.get(term) ?? 0) + 1)
    const of = { authorId: userId(random(seed, USERS)), parentType, parentId, url: '/', createdAt: moment(seed) }
    return { row: { rowId: end - 1 - index, id, type, counted, ...of, ...texts }, terms }
  }
  for (let first = 0; first < size; first += AT_ONCE) {
    const made = Array.from({ length: Math.min(AT_ONCE, size - first) }, (_, at) => make(first + at))
    if (into.engine === 'sqlite') {
      await into.add(
        'searchDocument',
        made.map(({ row }) => row),
      )
      await into.add(
        'searchTerms',
        made.map(({ row, terms }) => ({ rowid: row.rowId, terms: terms.join(' ') })),
      )
    } else {
      const quoted = (terms: string[]) => terms.map((term) => `'${term}'`).join(' ')
      await into.add(
        'searchDocument',
        made.map(({ row, terms }) => ({ ...row, terms: quoted(terms) })),
      )
    }
  }
}
