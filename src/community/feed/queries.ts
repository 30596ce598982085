// The feed as it is stored: one row for everything that shows, so that a page is one walk along an index.
import type { Insertable, Updateable } from 'kysely'
import type { Sort } from '../../contract/fields.ts'
import type { Db, FeedEntryTable, Transaction } from '../../database/schema.ts'
import { type Ids, inOrder } from '../listing/listing.ts'

export async function insertEntry(db: Transaction, entry: Insertable<FeedEntryTable>): Promise<void> {
  await db.insertInto('feedEntry').values(entry).execute()
}

export async function updateEntry(db: Transaction, id: string, changes: Updateable<FeedEntryTable>): Promise<void> {
  await db.updateTable('feedEntry').set(changes).where('id', '=', id).execute()
}

export async function addToEntry(
  db: Transaction,
  id: string,
  { score = 0, commentCount = 0 }: { score?: number; commentCount?: number },
): Promise<void> {
  await db
    .updateTable('feedEntry')
    .$if(score !== 0, (query) => query.set((column) => ({ score: column('score', '+', score) })))
    .$if(commentCount !== 0, (query) =>
      query.set((column) => ({ commentCount: column('commentCount', '+', commentCount) })),
    )
    .where('id', '=', id)
    .execute()
}

/** Removes an entry; gives its author, or undefined when there was none. */
export async function deleteEntry(db: Transaction, id: string): Promise<string | undefined> {
  const entry = await db.deleteFrom('feedEntry').where('id', '=', id).returning('authorId').executeTakeFirst()
  return entry?.authorId
}

// The outer join keeps the walk on the feed's index: an inner one would let the engine start from the accounts.
const entries = (db: Db) =>
  db
    .selectFrom('feedEntry as entry')
    .leftJoin('user as author', 'author.id', 'entry.authorId')
    .select([
      'entry.id',
      'entry.type',
      'entry.title',
      'entry.preview',
      'entry.authorId',
      'author.username as authorUsername',
      'entry.createdAt',
      'entry.score',
      'entry.commentCount',
      'entry.url',
    ])

/** `limit` entries after the first `offset`, without those of blocked authors. */
export function listEntries(
  db: Db,
  { sort, authorId, offset, limit }: { sort: Sort; authorId: string | undefined; offset: number; limit: number },
) {
  const visible = entries(db)
    .where('author.blockedAt', 'is', null)
    .$if(authorId !== undefined, (query) => query.where('entry.authorId', '=', authorId!))
  return inOrder(visible, { of: 'entry', sort }).limit(limit).offset(offset).execute()
}

/** The ids of what an author has in the feed, in order. */
export function walkEntriesOf(db: Db, authorId: string, order: { sort: Sort; backwards: boolean }) {
  const own = db.selectFrom('feedEntry as entry').select('entry.id').where('entry.authorId', '=', authorId)
  return inOrder(own, { of: 'entry', ...order })
}

export function listEntriesById(db: Db, ids: Ids, sort: Sort) {
  return inOrder(entries(db).where('entry.id', 'in', ids), { of: 'entry', sort }).execute()
}
