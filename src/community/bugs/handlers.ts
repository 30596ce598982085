// What only bugs have: triage and labels. By now the caller is allowed, and the input is parsed.

import { commentHandlers, voteHandler } from '../../content/discussion-handlers.ts'
import { decide, editHandlers, statusHandlers } from '../../content/edits/handlers.ts'
import { releasingOf } from '../../content/edits/releasing.ts'
import { mergeableOf, mergeHandlers } from '../../content/merging/handlers.ts'
import { recordModeration } from '../../content/moderation.ts'
import { recordStatus } from '../../content/notifications/events.ts'
import { countsHandler, createHandler, deleteHandler, readHandlers } from '../../content/subject-handlers.ts'
import { storeOf } from '../../content/subject-queries.ts'
import type { Handlers } from '../../request/handler.ts'
import { getLabel } from '../labels/labels.ts'
import type { bugs } from './contract.ts'
import * as labelling from './labelling.ts'
import { bug, bugActions, closing } from './subject.ts'

export const store = storeOf(bug, labelling.companion)
const merging = {
  audit: bugActions.merge,
  undoAudit: bugActions.unmerge,

  labelsOf: labelling.labelsOf,
  attach: labelling.attachTo,
}
/** A release resolves bugs. */
export const releasing = releasingOf(store, { status: 'resolved', action: 'triage', audit: bugActions.triage })
/** What can be merged, for the background. */
export const mergeable = mergeableOf(store, merging)

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

  async attachLabel(context, { id, labelId, reason }) {
    await context.db.transaction().execute(async (transaction) => {
      const row = await store.lock(transaction, id)
      const detail = { label: (await getLabel(transaction, labelId)).name }
      if (!(await labelling.attach(transaction, row, labelId))) return
      await recordModeration(transaction, context, { action: bugActions.label, on: row, reason, detail })
    })
    return { bugId: id, labelId }
  },

  async detachLabel(context, { id, labelId, reason }) {
    await context.db.transaction().execute(async (transaction) => {
      const row = await store.lock(transaction, id)
      await labelling.detach(transaction, row, labelId)
      const detail = { label: (await getLabel(transaction, labelId)).name }
      await recordModeration(transaction, context, { action: bugActions.unlabel, on: row, reason, detail })
    })
    return { bugId: id, labelId }
  },
}
