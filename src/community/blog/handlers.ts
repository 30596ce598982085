import { addComment, type Commentable, commentPage, removeComment } from '../../content/comments/comments.ts'
import { addToCount, countOf } from '../../content/counters.ts'
import type { Db } from '../../database/schema.ts'
import type { Handlers } from '../../request/handler.ts'
import type { blog } from './contract.ts'
import { allPosts, getPost } from './posts.ts'
import type { BlogPost } from './rules.ts'

const counterOf = (slug: string) => ({ kind: 'comment', groups: [`blog/${slug}`], facets: [] })

/** A post is a file: it cannot be removed under a comment, so nothing is locked, and its comments have a counter of their own. */
const commentable: Commentable = {
  type: 'blog',
  lock: async (_db, slug) => void (await getPost(slug)),
  async countComments(db, slug) {
    await getPost(slug)
    return countComments(db, slug)
  },
  addComments: (db, slug, delta) => addToCount(db, counterOf(slug), delta),
}

const countComments = (db: Db, slug: string) => countOf(db, 'comment', `blog/${slug}`)

async function entryOf(db: Db, { body: _body, ...post }: BlogPost) {
  return { ...post, commentCount: await countComments(db, post.slug), url: `/blog/${post.slug}` }
}

export const handlers: Handlers<typeof blog> = {
  async list({ db }, { page, per_page }) {
    const posts = [...(await allPosts()).values()]
    const end = (page + 1) * per_page
    const items = await Promise.all(posts.slice(page * per_page, end).map((post) => entryOf(db, post)))
    return { items, hasMore: end < posts.length, total: posts.length }
  },

  async get({ db }, { slug }) {
    const post = await getPost(slug)
    return { ...(await entryOf(db, post)), body: post.body }
  },

  async comments({ db }, { slug, ...input }) {
    const page = await commentPage(db, commentable, slug, input)
    return { ...page, items: page.items.map((comment) => ({ ...comment, postSlug: slug })) }
  },

  async comment(context, { slug, body }) {
    return { ...(await addComment(context, commentable, slug, body)), postSlug: slug }
  },

  deleteComment: (context, { slug, ...removal }) => removeComment(context, commentable, { id: slug, ...removal }),
}
