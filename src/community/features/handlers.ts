import { requireModeratorOrUnanswered } from '../../content/access.ts'
import { recordModeration } from '../../content/moderation.ts'
import { publish, withdraw } from '../../content/publication.ts'
import { myVotes, type Votable, vote } from '../../content/votes/votes.ts'
import type { Context, Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import type { Feature, features } from './contract.ts'
import * as queries from './queries.ts'

const votable: Votable = {
  lockScore: async (db, id) => (await queries.lockFeature(db, id)).score,
  addScore: queries.addToScore,
}

/** Feature requests cannot be commented on (interface.md, section 1): the count is there for the shape of lists. */
const commentCount = 0

const urlOf = (id: string) => `/community/features/${id}`

async function complete<Row extends { id: string }>({ db, caller }: Context, features: readonly Row[]) {
  const myVote = await myVotes(db, caller, features)
  return features.map((one) => ({ ...one, myVote: myVote(one), commentCount, url: urlOf(one.id) }))
}

export const handlers: Handlers<typeof features> = {
  async list(context, input) {
    const { items, ...page } = await queries.pageOfFeatures(context.db, input)
    return { items: await complete(context, items), ...page }
  },

  async get(context, { id }) {
    const [feature] = await complete(context, [await queries.getFeature(context.db, id)])
    return feature!
  },

  async create({ db, caller, now, budget }, wish) {
    const made = { id: newId(), authorId: caller.id, createdAt: now, updatedAt: now }
    const feature: Feature = { ...wish, ...made, status: 'open' }
    await db.transaction().execute(async (transaction) => {
      await budget.spend(transaction)
      await queries.insertFeature(transaction, feature)
      await publish(transaction, { ...feature, type: 'feature', text: feature.description, url: urlOf(feature.id) })
    })
    return feature
  },

  async setStatus(context, { id, status, reason }) {
    await context.db.transaction().execute(async (transaction) => {
      const before = await queries.updateStatus(transaction, id, { status, updatedAt: context.now })
      const { authorId } = before
      const detail = { from: before.status, to: status }
      await recordModeration(transaction, context, { action: 'feature.status', targetId: id, authorId, reason, detail })
    })
    return { status }
  },

  async delete(context, { id, reason }) {
    await context.db.transaction().execute(async (transaction) => {
      const found = await queries.findLockedFeature(transaction, id)
      const feature = requireModeratorOrUnanswered(
        context.caller,
        found && { ...found, commentCount },
        queries.noSuchFeature,
      )
      await queries.deleteFeature(transaction, feature)
      await withdraw(transaction, id)
      const { authorId, title } = feature
      const detail = { title }
      await recordModeration(transaction, context, { action: 'feature.delete', targetId: id, authorId, reason, detail })
    })
    return { id }
  },

  vote: (context, input) => vote(context, votable, input),
}
