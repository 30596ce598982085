// Posts as they are stored.
import type { z } from 'zod'
import { type Counted, countOf, decrement, increment } from '../../content/counters.ts'
import { inOrder, type Page, type PageWindow, pageOf, selectIds } from '../../content/listing-queries.ts'
import type { Sort } from '../../contract/fields.ts'
import { Problem } from '../../contract/problem.ts'
import { locking } from '../../database/engine.ts'
import { type Given, prepared } from '../../database/prepared.ts'
import type { Db, PostTable, Transaction } from '../../database/schema.ts'
import type { Post, posts } from './contract.ts'

type ListInput = z.output<typeof posts.list.input>

const noSuchPost = () => new Problem('not_found', 'No such post')

const entries = (db: Db) =>
  db
    .selectFrom('post')
    .leftJoin('user as author', 'author.id', 'post.authorId')
    .select([
      'post.id',
      'post.title',
      'post.body',
      'post.authorId',
      'author.username as authorUsername',
      'post.score',
      'post.createdAt',
    ])

type Entry = Awaited<ReturnType<typeof getPost>>

const counted = ({ authorId }: Pick<PostTable, 'authorId'>): Counted => ({
  kind: 'post',
  groups: ['all', `by/${authorId}`],
  facets: [],
})

export async function insertPost(db: Transaction, post: Post): Promise<void> {
  await db
    .insertInto('post')
    .values({ ...post, score: 0 })
    .execute()
  await increment(db, counted(post))
}

/** Locks a post until the transaction ends. */
export function lockPost(db: Transaction, id: string) {
  const post = db.selectFrom('post').select(['title', 'authorId', 'score']).where('id', '=', id)
  return locking(db, post).executeTakeFirstOrThrow(noSuchPost)
}

export async function deletePost(db: Transaction, post: Pick<PostTable, 'id' | 'authorId'>): Promise<void> {
  await db.deleteFrom('post').where('id', '=', post.id).execute()
  await decrement(db, counted(post))
}

export async function addToScore(db: Transaction, id: string, delta: number): Promise<void> {
  await db
    .updateTable('post')
    .set((post) => ({ score: post('score', '+', delta) }))
    .where('id', '=', id)
    .execute()
}

const entry = prepared((db, given: Given<{ id: string }>) => entries(db).where('post.id', '=', given('id')))

export async function getPost(db: Db, id: string) {
  const { rows } = await entry(db, { id })
  if (!rows[0]) throw noSuchPost()
  return rows[0]
}

export function pageOfPosts(db: Db, { page, per_page, sort, ...filters }: ListInput): Promise<Page<Entry>> {
  const { authorId, q } = filters
  return pageOf(
    db,
    { page, per_page, sort, q },
    {
      kind: 'post',
      filters,
      count: () => countOf(db, 'post', authorId === undefined ? 'all' : `by/${authorId}`),
      scan: (on, places, pageWindow) => scan(on, places, sort, pageWindow),
      entries: (on, ids) => inOrder(entries(on).where('post.id', 'in', ids), { of: 'post', sort }),
    },
  )
}

function scan(db: Db, { authorId, q }: Pick<ListInput, 'authorId' | 'q'>, sort: Sort, pageWindow: PageWindow) {
  const search = q ? { type: 'post', q } : undefined
  return selectIds(db, { table: 'post', within: ['authorId', authorId], search, sort }, pageWindow)
}
