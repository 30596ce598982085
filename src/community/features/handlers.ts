// What only feature requests have: an admin says what becomes of them.
import { recordModeration } from '../../content/moderation.ts'
import { createHandler, deleteHandler, readHandlers, voteHandler } from '../../content/subject-handlers.ts'
import { storeOf } from '../../content/subject-queries.ts'
import type { Handlers } from '../../request/handler.ts'
import type { features } from './contract.ts'
import { feature, featureActions } from './subject.ts'

const store = storeOf(feature)

export const handlers: Handlers<typeof features> = {
  ...readHandlers(store),
  create: createHandler(store, (wish, made) => ({ ...wish, ...made, status: 'open' })),
  delete: deleteHandler(store),
  vote: voteHandler(store),

  async setStatus(context, { id, status, reason }) {
    await context.db.transaction().execute(async (transaction) => {
      const before = await store.update(transaction, id, { status, updatedAt: context.now })
      const { authorId } = before
      const detail = { from: before.status, to: status }
      const act = { action: featureActions.status, targetId: id, authorId, reason, detail }
      await recordModeration(transaction, context, act)
    })
    return { status }
  },
}
