// By now the caller is known, not blocked and allowed, and the input is parsed: a handler only decides and remembers.

import { requireModeratorOrUnanswered } from '../../content/access.ts'
import {
  addComment,
  type Commentable,
  commentPage,
  deleteComments,
  removeComment,
} from '../../content/comments/comments.ts'
import { recordModeration } from '../../content/moderation.ts'
import { publish, withdraw } from '../../content/publication.ts'
import { myVotes, type Votable, vote } from '../../content/votes/votes.ts'
import type { Context, Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { getLabel } from '../labels/labels.ts'
import type { Bug, bugs } from './contract.ts'
import * as labelling from './labelling.ts'
import * as queries from './queries.ts'

const votable: Votable = {
  lockScore: async (db, id) => (await queries.lockBug(db, id)).score,
  async addScore(db, id, delta) {
    await queries.addToBug(db, id, { score: delta })
    await labelling.addToScores(db, id, delta)
  },
}

const commentable: Commentable = {
  type: 'bug',
  lock: async (db, id) => void (await queries.lockBug(db, id)),
  countComments: queries.countCommentsOf,
  addComments: (db, id, delta) => queries.addToBug(db, id, { commentCount: delta }),
}

const urlOf = (id: string) => `/community/bugs/${id}`

/** Bugs as a caller sees them. Each is put together once: a page has up to a hundred. */
async function complete<Row extends { id: string }>({ db, caller }: Context, bugs: readonly Row[]) {
  const myVote = await myVotes(db, caller, bugs)
  const labels = await labelling.mapLabels(
    db,
    bugs.map(({ id }) => id),
  )
  return bugs.map((bug) => ({ ...bug, labels: labels.get(bug.id) ?? [], myVote: myVote(bug), url: urlOf(bug.id) }))
}

export const handlers: Handlers<typeof bugs> = {
  async list(context, input) {
    const { items, ...page } = await queries.pageOfBugs(context.db, input)
    return { items: await complete(context, items), ...page }
  },

  async get(context, { id }) {
    const [bug] = await complete(context, [await queries.getBug(context.db, id)])
    return bug!
  },

  async create({ db, caller, now, budget }, report) {
    const bug: Bug = { ...report, id: newId(), authorId: caller.id, status: 'open', createdAt: now, updatedAt: now }
    await db.transaction().execute(async (transaction) => {
      await budget.spend(transaction)
      await queries.insertBug(transaction, bug)
      await publish(transaction, { ...bug, type: 'bug', text: bug.description, url: urlOf(bug.id) })
    })
    return bug
  },

  async triage(context, { id, reason, ...changes }) {
    await context.db.transaction().execute(async (transaction) => {
      const { authorId, status, severity } = await queries.updateBug(transaction, id, {
        ...changes,
        updatedAt: context.now,
      })
      const detail = { from: { status, severity }, to: changes }
      await recordModeration(transaction, context, { action: 'bug.triage', targetId: id, authorId, reason, detail })
    })
    return changes
  },

  async delete(context, { id, reason }) {
    await context.db.transaction().execute(async (transaction) => {
      const found = await queries.findLockedBug(transaction, id)
      const bug = requireModeratorOrUnanswered(context.caller, found, queries.noSuchBug)
      await queries.deleteBug(transaction, bug)
      await deleteComments(transaction, { targetType: 'bug', targetId: id })
      await withdraw(transaction, id)
      const { authorId, title } = bug
      const detail = { title }
      await recordModeration(transaction, context, { action: 'bug.delete', targetId: id, authorId, reason, detail })
    })
    return { id }
  },

  vote: (context, input) => vote(context, votable, input),

  async comments({ db }, { id, ...input }) {
    const page = await commentPage(db, commentable, id, input)
    return { ...page, items: page.items.map((comment) => ({ ...comment, bugId: id })) }
  },

  async comment(context, { id, body }) {
    return { ...(await addComment(context, commentable, id, body)), bugId: id }
  },

  deleteComment: (context, removal) => removeComment(context, commentable, removal),

  async attachLabel(context, { id, labelId, reason }) {
    await context.db.transaction().execute(async (transaction) => {
      const bug = await queries.lockBug(transaction, id)
      const { authorId } = bug
      const detail = { label: (await getLabel(transaction, labelId)).name }
      if (!(await labelling.attach(transaction, bug, labelId))) return
      await recordModeration(transaction, context, { action: 'bug.label', targetId: id, authorId, reason, detail })
    })
    return { bugId: id, labelId }
  },

  async detachLabel(context, { id, labelId, reason }) {
    await context.db.transaction().execute(async (transaction) => {
      const bug = await queries.lockBug(transaction, id)
      const { authorId } = bug
      await labelling.detach(transaction, bug, labelId)
      const detail = { label: (await getLabel(transaction, labelId)).name }
      await recordModeration(transaction, context, { action: 'bug.unlabel', targetId: id, authorId, reason, detail })
    })
    return { bugId: id, labelId }
  },
}
