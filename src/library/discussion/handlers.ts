// Voting on items and talking about them, for items that everybody sees and that are not the gallery's.
import { addComment, type Commentable, commentPage, removeComment } from '../../content/comments/comments.ts'
import { type Votable, vote } from '../../content/votes/votes.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import type { Handlers } from '../../request/handler.ts'
import { addToItem, findItem, lockItem, noSuchItem } from '../queries.ts'
import { isListed } from '../rules.ts'
import type { discussion } from './contract.ts'

async function lockListed(db: Transaction, id: string) {
  const item = await lockItem(db, id)
  if (!isListed(item) || item.gallery) throw noSuchItem()
  return item
}

const votable: Votable = {
  lockScore: async (db, id) => (await lockListed(db, id)).score,
  addScore: (db, id, delta) => addToItem(db, id, { score: delta }),
}

const commentable: Commentable = {
  type: 'item',
  lock: async (db, id) => void (await lockListed(db, id)),
  async countComments(db: Db, id) {
    const item = await findItem(db, { id })
    if (!item || !isListed(item) || item.gallery) throw noSuchItem()
    return item.commentCount
  },
  addComments: (db, id, delta) => addToItem(db, id, { commentCount: delta }),
}

export const discussionHandlers: Handlers<typeof discussion> = {
  vote: (context, input) => vote(context, votable, input),

  async comments({ db }, { id, ...input }) {
    const page = await commentPage(db, commentable, id, input)
    return { ...page, items: page.items.map((comment) => ({ ...comment, itemId: id })) }
  },

  async comment(context, { id, body }) {
    return { ...(await addComment(context, commentable, id, body)), itemId: id }
  },

  deleteComment: (context, comment) => removeComment(context, commentable, comment),
}
