// Where an item can be found: its tags, the text it is searched by, and the counts that lists take their totals from.
import { sql } from 'kysely'
import { locksRows } from '../database/engine.ts'
import type { Db, ItemCountTable, LibraryItemTable, Transaction } from '../database/schema.ts'
import { fold } from '../database/search.ts'
import { itemDocument } from '../search/things.ts'

type Shelved = Pick<LibraryItemTable, 'kind' | 'visibility' | 'listed'> & { tags: readonly string[] }

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

type Searched = Pick<
  LibraryItemTable,
  'name' | 'description' | 'keywords' | 'slug' | 'kind' | 'visibility' | 'listed'
> & {
  n: number
  tags: readonly string[]
  ownerUsername: string | null
}

/** Puts what an item is found by into the index, in place of what was there; the username then follows by itself. */
export async function indexItem(db: Transaction, item: Searched): Promise<void> {
  const parts = [item.name, item.description, item.keywords, item.slug, ...item.tags]
  const text = fold(parts.filter(Boolean).join('\n'))
  const owner = fold(item.ownerUsername ?? '')
  const shelf = shelfOf(item)
  await db
    .insertInto('itemText')
    .values({ n: item.n, text, owner, shelf })
    .onConflict((conflict) => conflict.column('n').doUpdateSet({ text, shelf }))
    .execute()
}

/** An item is no longer found by the username of its owner. */
export async function clearOwnerName(db: Transaction, n: number): Promise<void> {
  await db.updateTable('itemText').set({ owner: '' }).where('n', '=', n).execute()
}

const found = (db: Db) =>
  db
    .selectFrom('libraryItem as item')
    .innerJoin('itemDetails as details', 'details.itemId', 'item.id')
    .select(['item.id', 'item.kind', 'item.slug', 'item.name', 'item.description', 'item.tags', 'item.meta'])
    .select(['item.ownerId', 'item.createdAt', 'details.readme', 'details.contents'])
    .where('item.listed', '=', 1)
    .where('item.gallery', '=', 0)

/** What the search over everything has of an item; undefined for a private one and for an org of the gallery. */
export async function findDocument(db: Db, id: string) {
  const item = await found(db).where('item.id', '=', id).executeTakeFirst()
  return item && itemDocument(item)
}

/** The same for all items, in the order of their ids, beginning after one. */
export async function listItemDocuments(db: Db, after: string, limit: number) {
  const items = await found(db).where('item.id', '>', after).orderBy('item.id').limit(limit).execute()
  return items.map(itemDocument)
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

type Mark = Pick<LibraryItemTable, 'visibility'>['visibility'] | LibraryItemTable['kind']
const markOf = (mark: Mark) => mark.slice(0, 3)

/** The trigrams that mark a shelf in the index of texts, in the order in which they are written. */
export const indexMarks = (scope: 'public' | 'official', kind: LibraryItemTable['kind'] | undefined): string[] => [
  markOf(scope),
  ...(kind ? [markOf(kind)] : []),
]

function shelfOf({ kind, visibility, listed }: Pick<LibraryItemTable, 'kind' | 'visibility' | 'listed'>): string {
  if (listed === 0) return ''
  return [markOf('public'), ...(visibility === 'official' ? [markOf('official')] : []), markOf(kind)].join(' ')
}

/** The username an item is found by, as it is now. */
export async function findOwnerName(db: Db, userId: string): Promise<string | null> {
  const row = await db.selectFrom('user').select('username').where('id', '=', userId).executeTakeFirst()
  return row?.username ?? null
}

/** Counts an item out of where it was and into where it is; undefined for one that was not there, or is gone. */
export async function recount(db: Transaction, before: Shelved | undefined, after: Shelved | undefined): Promise<void> {
  const changes = new Map<string, ItemCountTable>()
  for (const [item, delta] of [[before, -1] as const, [after, 1] as const]) {
    for (const { scope, tag } of item ? placesOf(item) : []) {
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

function placesOf({ kind, visibility, listed, tags }: Shelved): { scope: string; tag: string }[] {
  if (listed === 0) return []
  const scopes = ['public', `public/${kind}`, ...(visibility === 'official' ? ['official', `official/${kind}`] : [])]
  return scopes.flatMap((scope) => ['', ...tags].map((tag) => ({ scope, tag })))
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
