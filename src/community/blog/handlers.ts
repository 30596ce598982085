// The blog's posts are files; what is counted and stored of them are their comments.

import { addToCount, countOf } from '../../content/counter-queries.ts'
import { commentHandlers } from '../../content/subjects/discussion-handlers.ts'
import type { Commentable } from '../../content/things.ts'
import { pageOfAll } from '../../database/cursor.ts'
import type { Db } from '../../database/schema.ts'
import { dataInNameOf, inNameOf } from '../../language/named.ts'
import type { Context, Handlers } from '../../request/handler.ts'
import type { blog } from './contract.ts'
import { allPosts, getPost } from './posts.ts'
import type { BlogPost } from './rules.ts'
import { blogPost } from './subject.ts'

const counterOf = (slug: string) => ({ kind: 'comment', groups: [`blog/${slug}`], facets: [] })

/** A post is a file: it cannot be removed under a comment, so nothing is locked, and its comments have a counter of their own. */
export const commentable: Commentable = {
  type: blogPost.type,
  follow: false,
  lock: async (_db, slug) => void (await getPost(slug)),
  findLockedAny: async () => undefined,
  async countComments(db, slug) {
    await getPost(slug)
    return countComments(db, slug)
  },
  addCounts: (db, slug, { commentCount }) => addToCount(db, counterOf(slug), commentCount),
  findUrl: async (_db, slug) => urlOf(await getPost(slug)),
  describe: getPost,
}
const urlOf = ({ slug }: { slug: string }) => `/blog/${slug}`
const discussion = commentHandlers(commentable, blogPost)

const countComments = (db: Db, slug: string) => countOf(db, { kind: 'comment', group: `blog/${slug}` })

/** A post is read on a server of any name. */
async function entryOf({ db, config }: Pick<Context, 'db' | 'config'>, { body: _body, ...post }: BlogPost) {
  return { ...dataInNameOf(config.name, post), commentCount: await countComments(db, post.slug), url: urlOf(post) }
}

export const handlers: Handlers<typeof blog> = {
  async list(context, request) {
    const posts = [...(await allPosts()).values()]
    const list = { list: ['blog'], idOf: ({ slug }: BlogPost) => slug }
    const { items, ...page } = await pageOfAll(request, list, posts)
    return { items: await Promise.all(items.map((post) => entryOf(context, post))), ...page, total: posts.length }
  },

  async get(context, { slug }) {
    const post = await getPost(slug)
    return { ...(await entryOf(context, post)), body: inNameOf(context.config.name, post.body) }
  },

  comments: (context, { slug, ...page }) => discussion.comments(context, { id: slug, ...page }),
  comment: (context, { slug, ...given }) => discussion.comment(context, { id: slug, ...given }),
  deleteComment: (context, { slug, ...removal }) => discussion.deleteComment(context, { id: slug, ...removal }),
}
