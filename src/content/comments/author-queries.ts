// The comments of one account, wherever they are, as everybody sees them.
import { sql } from 'kysely'
import type { Db } from '../../database/schema.ts'

interface Wanted {
  authorId: string
  before?: string | undefined
  limit: number
}

/** Newest first, each with what it is on; without those on something that does not show. Posts of the blog are not stored: they have no title here. */
export function listCommentsOfAuthor(db: Db, { authorId, before, limit }: Wanted) {
  return db
    .selectFrom('comment as one')
    .innerJoin('user as author', 'author.id', 'one.authorId')
    .leftJoin('feedEntry as entry', 'entry.id', 'one.targetId')
    .leftJoin('libraryItem as item', (join) =>
      join.onRef('item.id', '=', 'one.targetId').on('item.listed', '=', sql.lit(1)),
    )
    .select(['one.id', 'one.body', 'one.createdAt', 'one.editedAt', 'one.targetType', 'one.targetId'])
    .select(sql<string | null>`coalesce(entry.title, item.name)`.as('title'))
    .where('one.authorId', '=', authorId)
    .where('one.hidden', '=', 0)
    .where('author.blockedAt', 'is', null)
    .where(sql<boolean>`(coalesce(entry.id, item.id) is not null or one."targetType" = 'blog')`)
    .$if(before !== undefined, (rows) => rows.where('one.id', '<', String(before)))
    .orderBy('one.id', 'desc')
    .limit(limit)
    .execute()
}
