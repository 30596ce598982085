// By now the caller is known, not blocked and allowed, and the input is parsed: a handler only decides and remembers.
import { indexText, removeText } from '../../database/search.ts'
import type { Handlers } from '../../handler.ts'
import { newId } from '../../platform/ids.ts'
import { addComment, type Commentable, commentPage, deleteComments, removeComment } from '../comments/comments.ts'
import { addEntry, deleteEntry } from '../feed/feed.ts'
import { getLabel } from '../labels/labels.ts'
import { deleteVotes, type Votable, vote, withMyVotes } from '../votes/votes.ts'
import type { Bug, bugs } from './contract.ts'
import * as labelling from './labelling/queries.ts'
import * as queries from './queries.ts'

const votable: Votable = {
  lockScore: async (db, id) => (await queries.lockBug(db, id)).score,
  addScore: (db, id, delta) => queries.addToBug(db, id, { score: delta }),
}

const commentable: Commentable = {
  type: 'bug',
  lock: async (db, id) => void (await queries.lockBug(db, id)),
  countComments: queries.countCommentsOf,
  addComments: (db, id, delta) => queries.addToBug(db, id, { commentCount: delta }),
}

const urlOf = (id: string) => `/community/bugs/${id}`

export const handlers: Handlers<typeof bugs> = {
  async list({ db, caller }, input) {
    const offset = input.page * input.per_page
    const [found, total] = await Promise.all([
      queries.listBugs(db, input, { offset, limit: input.per_page + 1 }),
      queries.countBugs(db, input),
    ])
    const items = await withMyVotes(db, caller, await labelling.withLabels(db, found.slice(0, input.per_page)))
    return {
      items: items.map((item) => ({ ...item, url: urlOf(item.id) })),
      hasMore: found.length > input.per_page,
      total,
    }
  },

  async get({ db, caller }, { id }) {
    const [item] = await withMyVotes(db, caller, await labelling.withLabels(db, [await queries.getBug(db, id)]))
    return { ...item!, url: urlOf(id) }
  },

  async create({ db, caller, now }, report) {
    const bug: Bug = { ...report, id: newId(), authorId: caller.id, status: 'open', createdAt: now, updatedAt: now }
    await db.transaction().execute(async (transaction) => {
      await queries.insertBug(transaction, bug)
      await addEntry(transaction, { ...bug, type: 'bug', text: bug.description, url: urlOf(bug.id) })
      await indexText(transaction, bug.id, 'bug', bug.title, bug.description)
    })
    return bug
  },

  async triage({ db, now }, { id, ...changes }) {
    await db.transaction().execute((transaction) => queries.updateBug(transaction, id, { ...changes, updatedAt: now }))
    return changes
  },

  async delete({ db }, { id }) {
    await db.transaction().execute(async (transaction) => {
      await queries.deleteBug(transaction, id)
      await deleteVotes(transaction, id)
      await deleteComments(transaction, { targetType: 'bug', targetId: id })
      await deleteEntry(transaction, id)
      await removeText(transaction, id)
    })
    return { id }
  },

  vote: ({ db, caller }, input) => vote(db, votable, caller, input),

  async comments({ db }, { id, ...input }) {
    const page = await commentPage(db, commentable, id, input)
    return { ...page, items: page.items.map((comment) => ({ ...comment, bugId: id })) }
  },

  async comment(context, { id, body }) {
    return { ...(await addComment(context, commentable, id, body)), bugId: id }
  },

  deleteComment: (context, { id, commentId }) => removeComment(context, commentable, id, commentId),

  async attachLabel({ db }, { id, labelId }) {
    await db.transaction().execute(async (transaction) => {
      await queries.lockBug(transaction, id)
      await getLabel(transaction, labelId)
      await labelling.insertBugLabel(transaction, { bugId: id, labelId })
    })
    return { bugId: id, labelId }
  },

  async detachLabel({ db }, { id, labelId }) {
    await labelling.deleteBugLabel(db, { bugId: id, labelId })
    return { bugId: id, labelId }
  },
}
