// Handlers for the search over everything.

import { itemKinds } from '../../contract/item-kinds.ts'
import { type FeedKind, feedKinds } from '../../contract/kinds.ts'
import { type PartsOff, partsOff } from '../../contract/parts.ts'
import type { Db } from '../../database/schema.ts'
import type { Context, Handlers } from '../../request/handler.ts'
import { required } from '../../runtime/untyped.ts'
import { findDocuments, type Hit } from '../../search/finding.ts'
import { findSimilar, type Similar } from '../../search/similar.ts'
import { type BlogTitle, parentTitleOf } from '../blog-title.ts'
import { isOfClosed, resolveBoard } from '../board-access/listing-queries.ts'
import { mapChanges } from '../feed/queries.ts'
import { listByOrigin } from '../imported/origins.ts'
import { listMembers } from '../members/queries.ts'
import { findNumber } from '../references/queries.ts'
import type { BoardedKind } from '../things.ts'
import { withVia } from '../via.ts'
import { findInClosed } from './board-search.ts'
import { MAX_SIMILAR, MAX_SUGGESTED, type search } from './contract.ts'
import { listInBoard, listUsernamesFrom, mapEntries } from './queries.ts'

// What a name, a number or words may mean while a text is typed: a few indexed reads, each of them bounded.

const NUMBER = /^[1-9]\d{0,8}$/
const NUMBERED = ['bug', 'feature', 'post'] as const
const ITEMS = itemKinds
/** Beside what has a number, so many items are enough. */
const MAX_ITEMS = 3

interface SuggestQuery {
  sign: '@' | '#'
  q: string
  /** In milliseconds. */
  now: number
  /** Nothing of these parts. */
  off: PartsOff
}

async function suggest(db: Db, { sign, ...asked }: SuggestQuery) {
  const { q } = asked
  const nothing = { members: [], people: [], things: [], items: [] }
  if (q === '') return nothing
  if (sign === '@') {
    const members = await peopleLike(db, asked)
    return { ...nothing, members, people: members }
  }
  const [things, items] = await Promise.all([thingsLike(db, asked), itemsLike(db, asked)])
  return { ...nothing, things, items }
}

type WordQuery = Omit<SuggestQuery, 'sign'>

const wanted = ({ q, now, off }: WordQuery) => ({ q, now, off, page: 0, per_page: MAX_SUGGESTED })

/** Usernames that begin so come first, then members by the words of their names. */
async function peopleLike(db: Db, asked: WordQuery) {
  const named = await listUsernamesFrom(db, { from: asked.q.toLowerCase(), limit: MAX_SUGGESTED })
  if (named.length >= MAX_SUGGESTED) return named
  const { items } = await findDocuments(db, { ...wanted(asked), types: ['person'] })
  const rows = await listMembers(db, { ids: items.map(({ id }) => id) })
  const known = new Set(named.map(({ username }) => username))
  const others = rows.flatMap(({ username, name }) => (username && !known.has(username) ? [{ username, name }] : []))
  return [...named, ...others].slice(0, MAX_SUGGESTED)
}

async function thingsLike(db: Db, asked: WordQuery) {
  const exact = NUMBER.test(asked.q) ? await findNumber(db, Number(asked.q)) : undefined
  const { items } = await findDocuments(db, { ...wanted(asked), types: NUMBERED })
  const entries = await mapEntries(
    db,
    items.map(({ id }) => id),
  )
  const found = items.flatMap(({ id }) => entries.get(id) ?? [])
  const all = [
    ...(exact && !asked.off.kinds.has(exact.type) ? [{ ...exact, number: Number(exact.number) }] : []),
    ...found,
  ]
  const byNumber = new Map(
    all.flatMap(({ number, type, title }) => (number === null ? [] : [[number, { number, type, title }]])),
  )
  return [...byNumber.values()].slice(0, MAX_SUGGESTED)
}

async function itemsLike(db: Db, asked: WordQuery) {
  const { items } = await findDocuments(db, { ...wanted(asked), types: ITEMS })
  const entries = await mapEntries(
    db,
    items.map(({ id }) => id),
  )
  const found = items.flatMap(({ id }) => entries.get(id) ?? [])
  return found.slice(0, MAX_ITEMS).map(({ type, title, url }) => ({ kind: type, name: title, url }))
}

export interface SearchServices {
  blogTitle: BlogTitle
  boarded: readonly BoardedKind[]
  /** The ids of things that mean about the same as a title, the nearest first; none where no machine says. */
  findMeaning(context: Context, request: MeaningRequest): Promise<readonly string[]>
}

interface MeaningRequest {
  title: string
  types: readonly FeedKind[]
  limit: number
}

/** `boarded` is what is in boards. */
export function searchHandlers({ blogTitle, boarded, findMeaning }: SearchServices): Handlers<typeof search> {
  return {
    async find(context, { q, type: types = [], by, sort, board, ...request }) {
      const { db, now, config } = context
      const off = partsOff(config)
      const meant = await listByOrigin(db, q)
      const asked = { q, types, meant, by, sort, ...request, now: Date.parse(now), off }
      const filters = await resolveBoard(db, { board })
      const { items, ...found } = isOfClosed(filters)
        ? await findInClosed(db, { filters, kinds: boarded }, asked)
        : await findDocuments(db, { ...asked, ...(board !== undefined && withinBoard(db, filters)) })
      const shown = await Promise.all(items.map((hit) => showing(hit, { blogTitle, site: config.name })))
      const there = shown.filter((hit) => hit !== undefined)
      const [hits, changeOf] = await Promise.all([withVia(context, there), mapChanges(db, there)])
      const changed = hits.map((hit) => ({ ...hit, updatedAt: changeOf.get(hit.id)?.updatedAt ?? hit.createdAt }))
      return { items: changed, ...found }
    },

    suggest: ({ db, now, config }, input) => suggest(db, { ...input, now: Date.parse(now), off: partsOff(config) }),

    async similar(context, { title, type }) {
      const { db, now, config } = context
      const { kinds } = partsOff(config)
      const types = (type === undefined ? feedKinds : [type]).filter((one) => !kinds.has(one))
      if (types.length === 0) return { items: [] }
      const request = { title, types, limit: MAX_SIMILAR }
      const [said, meant] = await Promise.all([
        findSimilar(db, { ...request, now: Date.parse(now) }),
        findMeaning(context, request),
      ])
      const found = inOneList(said, meant)
      const entries = await mapEntries(
        db,
        found.map(({ id }) => id),
      )
      const shown = found.flatMap(({ id, ...more }) =>
        entries.has(id) ? [{ ...required(entries.get(id)), ...more }] : [],
      )
      return { items: shown.slice(0, MAX_SIMILAR) }
    },
  }
}

/**
 * Those with most of the words come first, then those that have some of them and mean the same, then those that mean the same in other
 * words, then the rest.
 */
function inOneList(said: readonly Similar[], meant: readonly string[]) {
  const [known, same] = [new Set(said.map(({ id }) => id)), new Set(meant)]
  const others = meant.filter((id) => !known.has(id)).map((id) => ({ id, likely: false, foundBy: 'machine' as const }))
  const some = said.filter(({ likely }) => !likely)
  return [
    ...said.filter(({ likely }) => likely),
    ...some.filter(({ id }) => same.has(id)),
    ...others,
    ...some.filter(({ id }) => !same.has(id)),
  ]
}

/** A search of one open board. */
const withinBoard = (db: Db, filters: Awaited<ReturnType<typeof resolveBoard>>) => ({
  place: JSON.stringify(filters),
  within: (numbers: readonly number[]) => listInBoard(db, numbers, filters),
})

/** A comment has the title of what it is on; undefined where that is a blog post that is gone. */
async function showing({ parentType, parentId, parentTitle, ...hit }: Hit, blog: Parameters<typeof parentTitleOf>[1]) {
  if (parentId === null) return hit
  const title = await parentTitleOf({ parentType, parentId, parentTitle }, blog)
  return title == null ? undefined : { ...hit, title: [{ text: title, match: false }] }
}
