// What a name, a number or words may mean while a text is typed: a few indexed reads, each of them bounded.

import { itemKinds } from '../../contract/item-kinds.ts'
import type { PartsOff } from '../../contract/parts.ts'
import type { Db } from '../../database/schema.ts'
import { findDocuments } from '../../search/finding.ts'
import { listMembers } from '../members/queries.ts'
import { findNumber } from '../references/queries.ts'
import { MAX_SUGGESTED } from './contract.ts'
import { listUsernamesFrom, mapEntries } from './queries.ts'

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

export async function suggest(db: Db, { sign, ...asked }: SuggestQuery) {
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
