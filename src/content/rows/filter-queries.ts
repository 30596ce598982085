// Filters of lists: by what is decided about things, by what things are about, by several values, and by words.
import { type RawBuilder, sql } from 'kysely'
import { valuesOf } from '../../contract/several.ts'
import type { Db } from '../../database/schema.ts'
import { texts as sources } from '../../database/search.ts'
import { partsOf } from '../../search/parts.ts'
import { aboutItem } from '../about/queries.ts'
import { hasWords, isOfClosed, isShownIn, MAX_WITHIN } from '../board-access/listing-queries.ts'
import type { IdQuery } from '../listing-queries.ts'
import type { ListedSubject } from '../subject.ts'
import { isBy, writersIn } from '../via.ts'

// What a list goes through and what is looked for in it: bounds in an index, what shows, and the words of a search.

/** What the indexes of lists are of. */
export const isShown = (table: string) => sql<boolean>`${sql.ref(`${table}.hidden`)} = 0`

/** The same, of what something happened to after a moment where that is asked for. */
export function isShownSince(table: string, shown: RawBuilder<boolean>, { activeSince }: Filters): RawBuilder<boolean> {
  return activeSince === undefined ? shown : sql`${shown} and ${sql.ref(`${table}.activeAt`)} > ${activeSince}`
}

/** The same, of what people or agents wrote where that is asked for. */
function shownBy(table: string, filters: Filters) {
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

// Filters of a list that have several values: each value is a filter of its own (`status.0`, `status.1`), as queries are prepared by the names
// of their filters (content/list-pages.ts).

export type Filters = Readonly<Record<string, string | undefined>>

/** The labels of a list where it has several, beside `labelId` for one. */
export const LABELS = 'labelIds'

/** Filters with each value of those of these names that have several as a filter of its own. */
export const spread = (filters: Filters, names: readonly string[]): Filters =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => {
      const values = names.includes(name) ? valuesOf(value) : []
      return values.length > 1 ? values.map((one, at): [string, string] => [`${name}.${at}`, one]) : [[name, value]]
    }),
  )

/** What a filter of this name has after `spread`: nothing, one value, or several. The values may be placeholders of a prepared query. */
export function valueIn(filters: Filters, name: string): string | string[] | undefined {
  const several = Object.entries(filters).flatMap(([one, value]) =>
    one.startsWith(`${name}.`) && value !== undefined ? [value] : [],
  )
  return several.length > 0 ? several : filters[name]
}

/** Whether a filter of this name has several values. */
export const hasSeveral = (filters: Filters, name: string): boolean => `${name}.0` in filters

/** One list for each choice of a value of each of these names, as filters with one value: none of them has a row of another. */
export function choicesOf(filters: Filters, names: readonly string[]): Filters[] {
  const several = names.filter((name) => hasSeveral(filters, name))
  const shared = Object.entries(filters).filter(([name]) => several.every((one) => !name.startsWith(`${one}.`)))
  return several.reduce<Filters[]>(
    (lists, name) =>
      lists.flatMap((list) => [valueIn(filters, name) ?? []].flat().map((one) => ({ ...list, [name]: one }))),
    [Object.fromEntries(shared)],
  )
}

/** The id of an account by its id or its username; undefined for none. */
export async function findAccountId(db: Db, idOrName: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('user')
    .select('id')
    .where((user) => user.or([user('id', '=', idOrName), user('usernameKey', '=', idOrName.toLowerCase())]))
    .executeTakeFirst()
  return found?.id
}

/** Filters with the account that an id or a name means. Nothing is assigned to one that does not exist. */
export async function resolveAssignee(db: Db, { assignee, ...filters }: Filters): Promise<Filters> {
  return assignee === undefined ? filters : { ...filters, assigneeId: (await findAccountId(db, assignee)) ?? '' }
}

/** The ids of the things that these filters leave; undefined where none of them is given. */
export function narrowedBy({
  pinned,
  assigneeId,
  due,
  aboutItemId,
  aboutNumber,
}: Filters): RawBuilder<string> | undefined {
  const parts = [
    ...(pinned === undefined ? [] : [sql`select id from "threadState" where "pinnedAt" is not null`]),
    ...(assigneeId === undefined ? [] : [sql`select "thingId" from assignment where "userId" = ${assigneeId}`]),
    ...(due === undefined ? [] : [sql`select id from "threadState" where "dueOn" <= ${due}`]),
    ...(aboutItemId === undefined ? [] : [aboutItem({ aboutItemId, aboutNumber })]),
  ]
  return parts.length === 0 ? undefined : sql<string>`(${sql.join(parts, sql` intersect `)})`
}

/** How many rows a scan of all finds. */
export async function countFound(db: Db, found: IdQuery): Promise<number> {
  const counted = await db
    .selectFrom(sql<{ id: string }>`(${found})`.as('found'))
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(counted.count)
}
