// What a list goes through and what is looked for in it: bounds in an index, what shows, and the words of a search.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/schema.ts'
import { texts as sources } from '../../database/search.ts'
import { partsOf } from '../../search/parts.ts'
import { hasWords, isOfClosed, isShownIn, MAX_WITHIN } from '../board-access/listing-queries.ts'
import type { ListedSubject } from '../subject.ts'
import { isBy, writersIn } from '../via.ts'
import { type Filters, hasSeveral, valueIn } from './several.ts'

/** What the indexes of lists are of. */
export const isShown = (table: string) => sql<boolean>`${sql.ref(`${table}.hidden`)} = 0`

/** The same, of what something happened to after a moment where that is asked for. */
export function isShownSince(table: string, shown: RawBuilder<boolean>, { activeSince }: Filters): RawBuilder<boolean> {
  return activeSince === undefined ? shown : sql`${shown} and ${sql.ref(`${table}.activeAt`)} > ${activeSince}`
}

/** The same, of what people or agents wrote where that is asked for. */
export function shownBy(table: string, filters: Filters) {
  const by = writersIn(filters)
  const shown = isShownSince(table, isShownIn(table, filters), filters)
  return by === undefined ? shown : sql<boolean>`${shown} and ${isBy(table, by)}`
}

/** What of a list shows, and what is searched for in it. No index has the texts of a closed board: they are looked through. */
export function soughtIn(
  db: Db,
  { type, table, record }: Pick<ListedSubject, 'type' | 'table' | 'record'>,
  filters: Filters,
) {
  const { q } = filters
  const where = shownBy(table, filters)
  if (!q || !isOfClosed(filters)) return { where, search: q ? { type, q } : undefined }
  const texts = ['title', 'description' in record.shape ? 'description' : 'body']
  const matches = hasWords(
    db,
    texts.map((column) => `${table}.${column}`),
    partsOf(q, sources.things.meaning),
  )
  return { where: sql<boolean>`${where} and ${matches}`, search: undefined, most: { limit: MAX_WITHIN, offset: 0 } }
}

/** The bounds of a list in an index: it begins with the author, with one facet, or with all of several. */
export function boundsOf(facets: readonly string[], { authorId, ...filters }: Filters) {
  const having = Object.fromEntries(facets.map((name) => [name, valueIn(filters, name)]))
  if (authorId !== undefined) return { within: ['authorId', authorId] as const, having }
  const given = facets.filter((name) => having[name] !== undefined)
  if (given.length > 1 || given.some((name) => hasSeveral(filters, name))) return { having }
  const name = given[0] ?? facets[0] ?? 'authorId'
  return { within: [name, filters[name]] as const }
}
