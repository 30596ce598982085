// Lists of comments: pages of a thing or of a thread, with the first replies to each.
import { type RawBuilder, sql } from 'kysely'
import type { PartsOff } from '../../contract/parts.ts'
import { among, engineOf } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { CommentTable, Db } from '../../database/schema.ts'
import { type AboutFilter, aboutItem } from '../about/queries.ts'
import { type Ids, inOrder, type PageWindow, selectIds } from '../listing-queries.ts'
import type { CommentListInput } from './contract.ts'

type CommentSort = CommentListInput['sort']

/** What comments are listed by: what they are on, or the thread that they are in. */
export type CommentFilter = Pick<CommentTable, 'targetType'> &
  Partial<Pick<CommentTable, 'targetId' | 'thread'>> &
  Partial<AboutFilter>

/** The ids of the comments of a list, in order. */
export function scanComments(
  db: Db,
  { thread, targetId, aboutItemId, aboutNumber }: CommentFilter,
  { sort, backwards, ...range }: PageWindow & { sort: CommentSort },
) {
  const within = thread === undefined ? (['targetId', targetId] as const) : (['thread', thread] as const)
  const scan = {
    table: 'comment' as const,
    within,
    having: { hidden: 0 },
    among: aboutItemId === undefined ? undefined : sql<string>`(${aboutItem({ aboutItemId, aboutNumber })})`,
    sort: sort === 'popular' ? ('popular' as const) : ('latest' as const),
  }
  return selectIds(db, scan, { backwards: sort === 'oldest' ? !backwards : backwards, ...range })
}

/** The ids of the first replies to each of these comments. */
export function firstReplies(db: Db, ids: string, limit: number): RawBuilder<string> {
  const replies = sql`select reply.id from comment reply where reply.thread = root.value and reply.hidden = 0
    order by reply."createdAt", reply.id limit ${limit}`
  return engineOf(db) === 'postgres'
    ? sql`(select first.id from json_array_elements_text(${ids}::json) root(value) cross join lateral (${replies}) first)`
    : sql`(select one.id from json_each(${ids}) root cross join comment one where one.id in (${replies}))`
}

/** The comments on things of a type, as they are read: nothing of a blocked account, which is hidden in the background. */
const entriesOfType = (db: Db, targetType: string) =>
  anyOfType(db, targetType).where('comment.hidden', '=', sql.lit(0)).where('author.blockedAt', 'is', null)

/** What it is listed under, if that is a comment. */
const replied = sql<string | null>`nullif(comment.thread, comment."targetId")`

const anyOfType = (db: Db, targetType: string) =>
  db
    .selectFrom('comment')
    .leftJoin('user as author', 'author.id', 'comment.authorId')
    .select([
      'comment.id',
      'comment.authorId',
      'author.username as authorUsername',
      'comment.body',
      'comment.createdAt',
    ])
    .select([
      'comment.editedAt',
      replied.as('parentId'),
      'comment.replyCount',
      'comment.score',
      'comment.thumbs_up',
      'comment.heart',
    ])
    .select(['comment.hooray', 'comment.laugh', 'comment.confused', 'comment.eyes', 'comment.viaClientId'])
    .where('comment.targetType', '=', targetType)

/** The comments of a kind with these ids, in order. */
export function commentsById(
  db: Db,
  ids: Ids,
  { targetType, sort }: Pick<CommentTable, 'targetType'> & { sort: CommentSort },
) {
  const query = entriesOfType(db, targetType).where('comment.id', ...ids)
  const order = sort === 'popular' ? ('popular' as const) : ('latest' as const)
  return inOrder(query, { of: 'comment', sort: order, backwards: sort === 'oldest' })
}

export type CommentRow = Awaited<ReturnType<ReturnType<typeof commentsById>['execute']>>[number]

export const replies = prepared(
  (db, given: Bind<{ ids: string; limit: number; targetType: string }>) =>
    commentsById(db, ['in', firstReplies(db, given('ids'), given('limit'))], {
      targetType: given('targetType'),
      sort: 'oldest',
    }),
  { cached: true },
)

const allReplies = prepared(
  (db, given: Bind<{ ids: string; targetType: string }>) =>
    inOrder(entriesOfType(db, given('targetType')).where('comment.thread', ...among(db, given('ids'))), {
      of: 'comment',
      sort: 'latest',
      backwards: true,
    }),
  { cached: true },
)

type ThreadRoot = Pick<CommentTable, 'id' | 'replyCount'>

/** The first replies to each of these comments, oldest first. Where none has more, that is a simple scan. */
export async function listReplies(db: Db, to: readonly ThreadRoot[], of: { limit: number; targetType: string }) {
  const ids = JSON.stringify(to.map(({ id }) => id))
  const { limit, targetType } = of
  const isAll = to.every(({ replyCount }) => replyCount <= limit)
  return isAll ? (await allReplies(db, { ids, targetType })).rows : (await replies(db, { ids, ...of })).rows
}

const one = prepared((db, given: Bind<{ id: string; targetType: string }>) =>
  anyOfType(db, given('targetType'))
    .select(['comment.hidden', 'author.blockedAt as authorBlockedAt'])
    .where('comment.id', '=', given('id')),
)

/** Any comment, hidden or not. */
export const findEntry = async (db: Db, { id, targetType }: Pick<CommentTable, 'id' | 'targetType'>) =>
  (await one(db, { id, targetType })).rows[0]

const before = prepared((db, given: Bind<Pick<CommentTable, 'thread' | 'createdAt' | 'id'>>) =>
  db
    .selectFrom('comment')
    .select((comment) => comment.fn.countAll<number>().as('count'))
    .where('thread', '=', given('thread'))
    .where('hidden', '=', sql.lit(0))
    .where(sql<boolean>`("createdAt", id) < (${given('createdAt')}, ${given('id')})`),
)

/** How many comments of a thread are older than this one. */
export async function countBefore(
  db: Db,
  { id, thread, createdAt }: Pick<CommentTable, 'id' | 'thread' | 'createdAt'>,
): Promise<number> {
  const { rows } = await before(db, { thread, createdAt, id })
  return Number(rows[0]?.count ?? 0)
}

interface AuthorCommentsQuery {
  authorId: string
  before?: string | undefined
  limit: number
  /** Nothing on things of these parts. */
  off: PartsOff
}

/** Newest first, each with what it is on; without those on something that does not show. Posts of the blog are not stored: they have no title here. */
export function listCommentsOfAuthor(db: Db, { authorId, before, limit, off }: AuthorCommentsQuery) {
  const kinds = [...off.kinds].map((kind) => sql.lit(kind))
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
    .$if(kinds.length > 0, (rows) =>
      rows.where(sql<boolean>`coalesce(entry.type, item.kind, one."targetType") not in (${sql.join(kinds)})`),
    )
    .$if(before !== undefined, (rows) => rows.where('one.id', '<', String(before)))
    .orderBy('one.id', 'desc')
    .limit(limit)
    .execute()
}
