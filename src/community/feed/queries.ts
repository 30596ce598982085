// The feed as it is stored: one row for everything that shows, so that a page is one walk along an index.
import type { Insertable, Updateable } from 'kysely'
import type { Sort } from '../../contract/fields.ts'
import { type Given, prepared } from '../../database/prepared.ts'
import type { Db, FeedEntryTable, Transaction } from '../../database/schema.ts'

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

export async function deleteEntry(db: Transaction, id: string): Promise<void> {
  await db.deleteFrom('feedEntry').where('id', '=', id).execute()
}

interface PageOfFeed {
  authorId: string
  limit: number
  offset: number
}

// The outer join keeps the walk on the feed's index: an inner one would let the engine start from the accounts.
const pageQuery = ({ popular, ofAuthor }: { popular: boolean; ofAuthor: boolean }) =>
  prepared((db, given: Given<PageOfFeed>) =>
    db
      .selectFrom('feedEntry as entry')
      .leftJoin('user as author', 'author.id', 'entry.authorId')
      .select(['entry.id', 'entry.type', 'entry.title', 'entry.preview', 'entry.authorId'])
      .select([
        'author.username as authorUsername',
        'entry.createdAt',
        'entry.score',
        'entry.commentCount',
        'entry.url',
      ])
      .where('author.blockedAt', 'is', null)
      .$if(ofAuthor, (query) => query.where('entry.authorId', '=', given('authorId')))
      .$if(popular, (query) => query.orderBy('entry.score', 'desc'))
      .orderBy('entry.createdAt', 'desc')
      .orderBy('entry.id', 'desc')
      .limit(given('limit'))
      .offset(given('offset')),
  )

const pages = {
  latest: {
    all: pageQuery({ popular: false, ofAuthor: false }),
    author: pageQuery({ popular: false, ofAuthor: true }),
  },
  popular: { all: pageQuery({ popular: true, ofAuthor: false }), author: pageQuery({ popular: true, ofAuthor: true }) },
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
