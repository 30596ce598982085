// Where an item can be found: its tags, the text it is searched by, and the totals of the lists that it is in.
import { sql } from 'kysely'
import { recount } from '../../content/counter-queries.ts'
import { locksRows } from '../../database/engine.ts'
import type { Db, ItemCountTable, LibraryItemTable, Transaction } from '../../database/schema.ts'
import { fold } from '../../database/search.ts'
import { itemDocument } from '../../search/things.ts'
import { item as subject } from './subject.ts'

/** What lists are filtered by. */
type CountedItem = Pick<LibraryItemTable, 'ownerId' | 'kind' | 'visibility' | 'listed'> & { tags: readonly string[] }

/** Replaces the tags an item is found by. */
export async function replaceTags(db: Transaction, itemId: string, tags: readonly string[]): Promise<void> {
  await db.deleteFrom('itemTag').where('itemId', '=', itemId).execute()
  if (tags.length > 0) {
    await db
      .insertInto('itemTag')
      .values(tags.map((tag) => ({ tag, itemId })))
      .execute()
  }
}

type SearchableItem = Pick<
  LibraryItemTable,
  'name' | 'description' | 'keywords' | 'slug' | 'kind' | 'visibility' | 'listed'
> & {
  rowId: number
  tags: readonly string[]
  ownerUsername: string | null
}

/** Puts what an item is found by into the index, in place of what was there; the username then follows by itself. */
export async function indexItem(db: Transaction, item: SearchableItem): Promise<void> {
  const parts = [item.name, item.description, item.keywords, item.slug, ...item.tags]
  const text = fold(parts.filter(Boolean).join('\n'))
  const owner = fold(item.ownerUsername ?? '')
  const facets = item.listed === 0 ? '' : facetsOfItem(item).join(' ')
  await db
    .insertInto('itemText')
    .values({ rowId: item.rowId, text, owner, facets })
    .onConflict((conflict) => conflict.column('rowId').doUpdateSet({ text, facets }))
    .execute()
}

/** An item is found by the username of another account from now on, or by none where there is no such account. */
export async function setOwnerName(db: Transaction, rowId: number, ownerId: string): Promise<void> {
  const owner = fold((await findOwnerName(db, ownerId)) ?? '')
  await db.updateTable('itemText').set({ owner }).where('rowId', '=', rowId).execute()
}

const found = (db: Db) =>
  db
    .selectFrom('libraryItem as item')
    .innerJoin('versionDetails as details', (join) =>
      join.onRef('details.itemId', '=', 'item.id').onRef('details.version', '=', 'item.version'),
    )
    .select(['item.id', 'item.kind', 'item.slug', 'item.name', 'item.description', 'item.tags', 'item.meta'])
    .select(['item.ownerId', 'item.createdAt', 'item.viaClientId', 'details.readme', 'details.contents'])
    .where('item.listed', '=', 1)
    .where('item.gallery', '=', 0)

/** What the search over everything has of an item; undefined for a private one and for an org of the gallery. */
export async function findDocument(db: Db, id: string) {
  const item = await found(db).where('item.id', '=', id).executeTakeFirst()
  return item && itemDocument(item)
}

/** The same for several. */
export async function listItemDocuments(db: Db, ids: readonly string[]) {
  return (await found(db).where('item.id', 'in', ids).execute()).map(itemDocument)
}

/** Which of these tags a listed item carries. */
export async function listCarried(db: Db, tags: readonly string[]): Promise<string[]> {
  if (tags.length === 0) return []
  const counts = db.selectFrom('itemCount').select('tag').where('scope', '=', 'public').where('count', '>', 0)
  return (await counts.where('tag', 'in', tags).execute()).map(({ tag }) => tag)
}

/** Every tag that a listed item carries, in order, beginning after one. */
export async function listTagsCarried(db: Db, after: string, limit: number): Promise<string[]> {
  const counts = db.selectFrom('itemCount').select('tag').where('scope', '=', 'public').where('count', '>', 0)
  const rows = await counts.where('tag', '>', after).orderBy('tag').limit(limit).execute()
  return rows.map(({ tag }) => tag)
}

const trigramOf = (value: LibraryItemTable['visibility' | 'kind']) => value.slice(0, 3)

/** The trigrams of a list in the index of texts, in the order in which an item has them. */
export const facetsOf = (scope: 'public' | 'official', kind: LibraryItemTable['kind'] | undefined): string[] => [
  trigramOf(scope),
  ...(kind ? [trigramOf(kind)] : []),
]

const facetsOfItem = ({ kind, visibility }: Pick<LibraryItemTable, 'kind' | 'visibility'>): string[] => [
  trigramOf('public'),
  ...(visibility === 'official' ? [trigramOf('official')] : []),
  trigramOf(kind),
]

/** The username an item is found by, as it is now. */
export async function findOwnerName(db: Db, userId: string): Promise<string | null> {
  const row = await db.selectFrom('user').select('username').where('id', '=', userId).executeTakeFirst()
  return row?.username ?? null
}

/** The totals of lists: of what is listed, and of all that its owner has. */
const countedIn = ({ ownerId, kind, visibility, listed }: CountedItem) => ({
  kind: subject.type,
  groups: [...(listed === 1 ? ['all'] : []), `by/${ownerId}`],
  facets: [visibility, kind],
})

/** Counts an item out of the lists it was in and into those it is in; undefined for one that was in none, or is gone. */
export async function recountItem(
  db: Transaction,
  before: CountedItem | undefined,
  after: CountedItem | undefined,
): Promise<void> {
  await recount(db, before && countedIn(before), after && countedIn(after))
  await recountTags(db, before, after)
}

async function recountTags(
  db: Transaction,
  before: CountedItem | undefined,
  after: CountedItem | undefined,
): Promise<void> {
  const changes = new Map<string, ItemCountTable>()
  for (const [item, delta] of [[before, -1] as const, [after, 1] as const]) {
    for (const { scope, tag } of item ? taggedIn(item) : []) {
      const count = (changes.get(`${scope} ${tag}`)?.count ?? 0) + delta
      changes.set(`${scope} ${tag}`, { scope, tag, count })
    }
  }
  // In one order always: two transactions never wait for each other.
  const rows = [...changes].filter(([, { count }]) => count !== 0).toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (rows.length === 0) return
  await db
    .insertInto('itemCount')
    .values(rows.map(([, row]) => row))
    .onConflict((conflict) =>
      conflict
        .columns(['scope', 'tag'])
        .doUpdateSet((row) => ({ count: row('itemCount.count', '+', sql.ref<number>('excluded.count')) })),
    )
    .execute()
}

function taggedIn({ kind, visibility, listed, tags }: CountedItem): { scope: string; tag: string }[] {
  if (listed === 0) return []
  const scopes = ['public', `public/${kind}`, ...(visibility === 'official' ? ['official', `official/${kind}`] : [])]
  return scopes.flatMap((scope) => tags.map((tag) => ({ scope, tag })))
}

/** Forgets tags that nothing carries any more. Rows that another transaction has locked are skipped. */
export async function deleteEmptyCounts(db: Db): Promise<void> {
  const empty = db.selectFrom('itemCount').select(['scope', 'tag']).where('count', '=', 0)
  const free = (locksRows(db) ? empty.forUpdate().skipLocked() : empty).$asTuple('scope', 'tag')
  await db
    .deleteFrom('itemCount')
    .where((row) => row(row.refTuple('scope', 'tag'), 'in', free))
    .execute()
}
