import { requireOwnerOrModerator } from '../../content/access.ts'
import { recordModeration } from '../../content/moderation.ts'
import { publish, withdraw } from '../../content/publication.ts'
import { myVotes, type Votable, vote } from '../../content/votes/votes.ts'
import type { Context, Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import type { Post, posts } from './contract.ts'
import * as queries from './queries.ts'

const votable: Votable = {
  lockScore: async (db, id) => (await queries.lockPost(db, id)).score,
  addScore: queries.addToScore,
}

const urlOf = (id: string) => `/community/posts/${id}`
/** Posts cannot be commented on (interface.md, section 1): the count is there for the shape of lists. */
const commentCount = 0

async function complete<Row extends { id: string }>({ db, caller }: Context, posts: readonly Row[]) {
  const myVote = await myVotes(db, caller, posts)
  return posts.map((post) => ({ ...post, myVote: myVote(post), commentCount, url: urlOf(post.id) }))
}

export const handlers: Handlers<typeof posts> = {
  async list(context, input) {
    const { items, ...page } = await queries.pageOfPosts(context.db, input)
    return { items: await complete(context, items), ...page }
  },

  async get(context, { id }) {
    const [post] = await complete(context, [await queries.getPost(context.db, id)])
    return post!
  },

  async create({ db, caller, now, budget }, written) {
    const post: Post = { ...written, id: newId(), authorId: caller.id, createdAt: now }
    await db.transaction().execute(async (transaction) => {
      await budget.spend(transaction)
      await queries.insertPost(transaction, post)
      await publish(transaction, { ...post, type: 'post', text: post.body, url: urlOf(post.id) })
    })
    return post
  },

  async delete(context, { id, reason }) {
    await context.db.transaction().execute(async (transaction) => {
      const { authorId, title } = await queries.lockPost(transaction, id)
      requireOwnerOrModerator(context.caller, authorId)
      await queries.deletePost(transaction, { id, authorId })
      await withdraw(transaction, id)
      const detail = { title }
      await recordModeration(transaction, context, { action: 'post.delete', targetId: id, authorId, reason, detail })
    })
    return { id }
  },

  vote: (context, input) => vote(context, votable, input),
}
