// The search of one closed board, for those who read it. No index has a word of it, so its newest things are looked through: their titles
// and texts, for the words that the index would be asked for.

import { searchTypes } from '../../contract/kinds.ts'
import { pageOfAll } from '../../database/cursor.ts'
import type { Db } from '../../database/schema.ts'
import { required } from '../../runtime/untyped.ts'
import { documentOf } from '../../search/document.ts'
import { type Hit, MAX_HITS, type SearchPage, type SearchRequest } from '../../search/finding.ts'
import { surfacesOf, type Unit, unitsOf } from '../../search/query.ts'
import { ranked } from '../../search/ranking.ts'
import { highlighter } from '../../search/snippets.ts'
import { stemOf } from '../../search/stem.ts'
import { foldWord, nameKey } from '../../search/words.ts'
import { boarded } from '../board-access/contract.ts'
import { type BoardThing, listOfBoard } from '../feed/board-queries.ts'
import type { BoardedKind } from '../things.ts'

/** So many things of a board are looked through, the newest. */
const MAX_THINGS = 2_000
/** And so many characters of their texts: one that begins behind them is not looked at. */
export const MAX_CHARACTERS = 8_000_000
/** So many at once: others have their turn in between. */
const AT_ONCE = 100

interface ClosedBoard {
  /** The board as lists are filtered by it (boards/listing-queries.ts). */
  filters: Readonly<Record<string, string | undefined>>
  kinds: readonly BoardedKind[]
}

/** A text as its words are compared: in lower case and without diacritics, as the words of a query are. */
const folded = (text: string): string =>
  /[^ -~\s]/.test(text) ? text.replace(/[\p{L}\p{N}\p{M}.]+/gu, foldWord) : text.toLowerCase()

/** What a text must have for a word: its stem, which may stand within a longer one. */
function rootOf(word: string): string {
  const stem = stemOf(word)
  return word.startsWith(stem) ? stem : word
}

function matcherOf(units: readonly Unit[]): (thing: BoardThing) => boolean {
  const roots = units.map(({ whole, parts }) => ({ whole: rootOf(whole), parts: parts.map(rootOf) }))
  return ({ title, text }) => {
    const all = folded(`${title}\n${text}`)
    return roots.every(({ whole, parts }) => all.includes(whole) || parts.every((part) => all.includes(part)))
  }
}

/** The newest things of a board that have the words, and whether there may be more. */
async function matching(db: Db, { filters }: ClosedBoard, { units, by, off }: BoardQuery) {
  const types = boarded.filter((type) => !off?.kinds.has(type))
  const isMatch = matcherOf(units)
  const found: BoardThing[] = []
  let characters = 0
  const isLookedAt = ({ text }: BoardThing) => {
    const isBefore = characters < MAX_CHARACTERS
    characters += text.length
    return isBefore
  }
  let after: (string | number)[] | undefined
  for (let seen = 0; seen < MAX_THINGS && found.length < MAX_HITS && characters < MAX_CHARACTERS; seen += AT_ONCE) {
    const some = await listOfBoard(db, { sort: 'latest', filters, types, by }, { offset: 0, limit: AT_ONCE, after })
    found.push(...some.filter((thing) => isLookedAt(thing) && isMatch(thing)))
    const last = some.at(-1)
    if (!last || some.length < AT_ONCE) {
      return { found: found.slice(0, MAX_HITS), isPartial: found.length > MAX_HITS || characters > MAX_CHARACTERS }
    }
    after = [last.createdAt, last.id]
  }
  return { found: found.slice(0, MAX_HITS), isPartial: true }
}

interface BoardQuery extends Pick<SearchRequest, 'by' | 'off'> {
  units: readonly Unit[]
}

/** A page of the hits in a closed board. */
export async function findInClosed(
  db: Db,
  board: ClosedBoard,
  { q, types, by, sort = 'best', now, off, ...request }: SearchRequest,
): Promise<SearchPage> {
  const units = unitsOf(q)
  const { found, isPartial } =
    units.length === 0 ? { found: [], isPartial: false } : await matching(db, board, { units, by, off })
  const key = nameKey(q)
  const candidates = found.map((thing, rowId) => ({
    ...{
      thing,
      rowId,
      type: thing.type,
      title: thing.title,
      names: '',
      createdAt: thing.createdAt,
      score: thing.score,
    },
    ...{ closeness: 'exact' as const, isNamed: nameKey(thing.title) === key, hasWhole: false },
  }))
  const wanted = candidates.filter(({ type }) => types.length === 0 || types.includes(type))
  const hits = sort === 'best' ? ranked(wanted, { units, alternatives: new Map() }, now) : wanted
  const list = ['search', board.filters, q, types, by, sort]
  const { items, ...page } = await pageOfAll(request, { list, idOf: ({ thing }) => thing.id }, hits)
  return {
    items: shownHits(
      board.kinds,
      items.map(({ thing }) => thing),
      units,
    ),
    ...page,
    total: hits.length,
    counts: countsOf(found, isPartial),
    corrected: [],
  }
}

function shownHits(kinds: ClosedBoard['kinds'], things: readonly BoardThing[], units: readonly Unit[]): Hit[] {
  const urls = new Map(kinds.map((kind) => [kind.type, (id: string) => kind.subject.url({ id })]))
  const { highlight, snippet } = highlighter(new Set(surfacesOf(units).map(stemOf)))
  return things.map(({ id, type, title, text, authorId, authorUsername, createdAt, score, viaClientId }) => {
    const url = required(urls.get(type))(id)
    const { body } = documentOf({ id, type, authorId, title, body: text, url, createdAt })
    const shown = { id, type, createdAt, score, viaClientId, url, authorUsername }
    const alone = { parentType: null, parentId: null, parentTitle: null }
    return { ...shown, ...alone, title: highlight(title), text: snippet(body) }
  })
}

function countsOf(found: readonly BoardThing[], more: boolean): SearchPage['counts'] {
  const byType = Map.groupBy(found, ({ type }) => type)
  return searchTypes.flatMap((type) => {
    const count = byType.get(type as BoardThing['type'])?.length ?? 0
    return count === 0 ? [] : { type, count, more }
  })
}
