// The feed as it is stored: one row for everything that shows, so that a page is one walk along an index.
import type { Insertable, Updateable } from 'kysely'
import type { Sort } from '../../contract/fields.ts'
import { type Given, prepared } from '../../database/prepared.ts'
import type { Db, FeedEntryTable, Transaction } from '../../database/schema.ts'
import { type Ids, idsAlong, inOrder, type Stretch } from '../listing/listing.ts'

export async function insertEntry(db: Transaction, entry: Insertable<FeedEntryTable>): Promise<void> {
  await db.insertInto('feedEntry').values(entry).execute()
}

export async function updateEntry(db: Transaction, id: string, changes: Updateable<FeedEntryTable>): Promise<void> {
  await db.updateTable('feedEntry').set(changes).where('id', '=', id).execute()
}

const addition = prepared((db, given: Given<{ id: string; score: number; commentCount: number }>) =>
  db
    .updateTable('feedEntry')
    .set((entry) => ({
      score: entry('score', '+', given('score')),
      commentCount: entry('commentCount', '+', given('commentCount')),
    }))
    .where('id', '=', given('id')),
)

/** Adds to the counts of a thing, if the feed shows it. */
export async function addToEntry(
  db: Transaction,
  id: string,
  { score = 0, commentCount = 0 }: { score?: number; commentCount?: number },
): Promise<void> {
  await addition(db, { id, score, commentCount })
}

/** Removes an entry; gives its author, or undefined when there was none. */
export async function deleteEntry(db: Transaction, id: string): Promise<string | undefined> {
  const entry = await db.deleteFrom('feedEntry').where('id', '=', id).returning('authorId').executeTakeFirst()
  return entry?.authorId
}

interface PageOfFeed {
  authorId: string
  limit: number
  offset: number
}

// The outer join keeps the walk on the feed's index: an inner one would let the engine start from the accounts.
const entries = (db: Db) =>
  db
    .selectFrom('feedEntry as entry')
    .leftJoin('user as author', 'author.id', 'entry.authorId')
    .select(['entry.id', 'entry.type', 'entry.title', 'entry.preview', 'entry.authorId'])
    .select(['author.username as authorUsername', 'entry.createdAt', 'entry.score', 'entry.commentCount', 'entry.url'])

const pageQuery = ({ sort, ofAuthor }: { sort: Sort; ofAuthor: boolean }) =>
  prepared((db, given: Given<PageOfFeed>) =>
    inOrder(
      entries(db)
        .where('author.blockedAt', 'is', null)
        .$if(ofAuthor, (query) => query.where('entry.authorId', '=', given('authorId'))),
      { of: 'entry', sort },
    )
      .limit(given('limit'))
      .offset(given('offset')),
  )

const pages = {
  latest: {
    all: pageQuery({ sort: 'latest', ofAuthor: false }),
    author: pageQuery({ sort: 'latest', ofAuthor: true }),
  },
  popular: {
    all: pageQuery({ sort: 'popular', ofAuthor: false }),
    author: pageQuery({ sort: 'popular', ofAuthor: true }),
  },
}

/** `limit` entries after the first `offset`, without those of blocked authors. */
export async function listEntries(
  db: Db,
  { sort, authorId, ...range }: { sort: Sort; authorId: string | undefined; offset: number; limit: number },
) {
  const query = pages[sort][authorId === undefined ? 'all' : 'author']
  const { rows } = await query(db, { ...range, authorId: authorId ?? '' })
  return rows
}

/** The ids of what an author has in the feed, in order. */
export function walkEntriesOf(db: Db, authorId: string, sort: Sort, stretch: Stretch) {
  return idsAlong(db, { table: 'feedEntry', within: ['authorId', authorId], sort }, stretch)
}

/** The entries with these ids, in order. */
export function entriesById(db: Db, ids: Ids, sort: Sort) {
  return inOrder(entries(db).where('entry.id', 'in', ids), { of: 'entry', sort })
}
