// What only bugs have: triage. By now the caller is allowed, and the input is parsed.

import { commentHandlers, voteHandler } from '../../content/discussion-handlers.ts'
import { decide, editHandlers, statusHandlers } from '../../content/edits/handlers.ts'
import { releasingOf } from '../../content/edits/releasing.ts'
import { mergeableOf, mergeHandlers } from '../../content/merging/handlers.ts'
import { recordModeration } from '../../content/moderation.ts'
import { recordStatus } from '../../content/notifications/events.ts'
import { countsHandler, createHandler, deleteHandler, readHandlers } from '../../content/subject-handlers.ts'
import { storeOf } from '../../content/subject-queries.ts'
import type { Handlers } from '../../request/handler.ts'
import { labelHandlers, labellingOf } from '../labels/labels.ts'
import type { bugs } from './contract.ts'
import { bug, bugActions, closing } from './subject.ts'

const labelling = labellingOf(bug)
export const store = storeOf(bug, labelling.companion)
const merging = { audit: bugActions.merge, undoAudit: bugActions.unmerge, labelling }
/** A release resolves bugs. */
export const releasing = releasingOf(store, { status: 'resolved', action: 'triage', audit: bugActions.triage })
/** What can be merged, for the background. */
export const mergeable = mergeableOf(store, labelling)

export const handlers: Handlers<typeof bugs> = {
  ...readHandlers(store, labelling.decorate),
  ...countsHandler(store),
  create: createHandler(store, (report, made) => ({ ...report, ...made, status: 'open', editedAt: null })),
  ...editHandlers(store, { audit: bugActions.edit, updated: (updatedAt) => ({ updatedAt }) }),
  ...statusHandlers(store, { audit: bugActions.close, closing }),
  ...mergeHandlers(store, merging),
  delete: deleteHandler(store),
  vote: voteHandler(store),
  ...commentHandlers(store, bug),
  ...labelHandlers(store, labelling, bugActions),

  async triage(context, { id, reason, ...changes }) {
    await context.db.transaction().execute(async (transaction) => {
      const before = await decide(store, { transaction, context, id, changes, reason })
      const { status, severity } = before
      const detail = { from: { status, severity }, to: changes }
      await recordModeration(transaction, context, { action: bugActions.triage, on: before, reason, detail })
      const act = { by: context.caller.id, now: context.now, on: { type: bug.type, id } }
      await recordStatus(transaction, act, { from: status, to: changes.status ?? status, reason })
    })
    return changes
  },
}
