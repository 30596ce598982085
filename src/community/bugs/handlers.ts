// What only bugs have: triage and labels. By now the caller is allowed, and the input is parsed.
import { recordModeration } from '../../content/moderation.ts'
import {
  commentHandlers,
  createHandler,
  deleteHandler,
  readHandlers,
  voteHandler,
} from '../../content/subject-handlers.ts'
import { storeOf } from '../../content/subject-queries.ts'
import type { Handlers } from '../../request/handler.ts'
import { getLabel } from '../labels/labels.ts'
import type { bugs } from './contract.ts'
import * as labelling from './labelling.ts'
import { bug, bugActions } from './subject.ts'

const store = storeOf(bug, labelling.companion)

export const handlers: Handlers<typeof bugs> = {
  ...readHandlers(store, labelling.decorate),
  create: createHandler(store, (report, made) => ({ ...report, ...made, status: 'open' })),
  delete: deleteHandler(store),
  vote: voteHandler(store),
  ...commentHandlers(store, bug),

  async triage(context, { id, reason, ...changes }) {
    await context.db.transaction().execute(async (transaction) => {
      const { authorId, status, severity } = await store.update(transaction, id, {
        ...changes,
        updatedAt: context.now,
      })
      const detail = { from: { status, severity }, to: changes }
      const act = { action: bugActions.triage, targetId: id, authorId, reason, detail }
      await recordModeration(transaction, context, act)
    })
    return changes
  },

  async attachLabel(context, { id, labelId, reason }) {
    await context.db.transaction().execute(async (transaction) => {
      const row = await store.lock(transaction, id)
      const { authorId } = row
      const detail = { label: (await getLabel(transaction, labelId)).name }
      if (!(await labelling.attach(transaction, row, labelId))) return
      const act = { action: bugActions.label, targetId: id, authorId, reason, detail }
      await recordModeration(transaction, context, act)
    })
    return { bugId: id, labelId }
  },

  async detachLabel(context, { id, labelId, reason }) {
    await context.db.transaction().execute(async (transaction) => {
      const row = await store.lock(transaction, id)
      const { authorId } = row
      await labelling.detach(transaction, row, labelId)
      const detail = { label: (await getLabel(transaction, labelId)).name }
      const act = { action: bugActions.unlabel, targetId: id, authorId, reason, detail }
      await recordModeration(transaction, context, act)
    })
    return { bugId: id, labelId }
  },
}
