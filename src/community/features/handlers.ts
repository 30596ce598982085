// What only feature requests have: an admin says what becomes of them.

import { concerning, type ItemsSeen } from '../../content/about/about.ts'
import { releasingOf } from '../../content/edits/closing.ts'
import { decide, editHandlers, statusHandlers } from '../../content/edits/handlers.ts'
import { labelHandlers } from '../../content/labels/labels.ts'
import { mergeHandlers } from '../../content/merging/handlers.ts'
import { recordStatus } from '../../content/notifications/events.ts'
import { recordModeration } from '../../content/reports/moderation.ts'
import { storeOf } from '../../content/store/queries.ts'
import { commentHandlers, voteHandler } from '../../content/subjects/discussion-handlers.ts'
import { countsHandler, createHandler, deleteHandler, readHandlers } from '../../content/subjects/handlers.ts'
import type { Handlers } from '../../request/handler.ts'
import { required } from '../../runtime/untyped.ts'
import { columns, type features, MAX_COLUMN } from './contract.ts'
import { closing, feature, featureActions } from './subject.ts'

export const store = storeOf(feature)
const merging = { audit: featureActions.merge, undoAudit: featureActions.unmerge }
/** A release ships feature requests. */
export const releasing = releasingOf(store, { status: 'shipped', action: 'setStatus', audit: featureActions.status })

const setStatus: Handlers<typeof features>['setStatus'] = async (context, { id, status, reason }) => {
  await context.db.transaction().execute(async (transaction) => {
    const before = await decide(store, { transaction, context, id, changes: { status }, reason })
    const detail = { from: before.status, to: status }
    await recordModeration(transaction, context, { action: featureActions.status, on: before, reason, detail })
    const act = { by: context.caller.id, now: context.now, on: { type: feature.type, id } }
    await recordStatus(transaction, act, { ...detail, reason })
  })
  return { status }
}

/** `items` is what the library says of what requests are about. */
export function featureHandlers(items: ItemsSeen): Handlers<typeof features> {
  const concerned = { ...store, concerning: concerning(feature.type, items) }
  const reading = readHandlers(concerned, required(store.labelling).decorate)
  return {
    ...countsHandler(store),
    ...statusHandlers(store, { audit: featureActions.close, closing }),
    ...mergeHandlers(store, merging),
    delete: deleteHandler(store),
    vote: voteHandler(store),
    ...commentHandlers(store, feature),
    ...labelHandlers(store, featureActions),
    setStatus,
    ...reading,
    create: createHandler(concerned, (wish, made) => ({ ...wish, ...made, status: 'open', editedAt: null })),
    ...editHandlers(concerned, { audit: featureActions.edit, updated: (updatedAt) => ({ updatedAt }) }),

    async roadmap(context) {
      const column = async (status: (typeof columns)[number]) => {
        const most = { sort: 'popular', page: 0, per_page: MAX_COLUMN, status } as const
        const { items, total } = await reading.list(context, most)
        return { status, total, items }
      }
      return { columns: await Promise.all(columns.map(column)) }
    },
  }
}
