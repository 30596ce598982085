// What only bugs have: triage. By now the caller is allowed, and the input is parsed.

import type { z } from 'zod'
import { concerning, type ItemsSeen } from '../../content/about/about.ts'
import { releasingOf } from '../../content/edits/closing.ts'
import { decide, editHandlers, statusHandlers } from '../../content/edits/handlers.ts'
import { floodableOf } from '../../content/floods/floodable.ts'
import { insertCheck } from '../../content/floods/queries.ts'
import { labelHandlers } from '../../content/labels/labels.ts'
import { mergeableOf, mergeHandlers } from '../../content/merging/handlers.ts'
import { recordStatus } from '../../content/notifications/events.ts'
import { recordModeration } from '../../content/reports/moderation.ts'
import { storeOf } from '../../content/store/queries.ts'
import { commentHandlers, voteHandler } from '../../content/subjects/discussion-handlers.ts'
import { countsHandler, createHandler, deleteHandler, readHandlers } from '../../content/subjects/handlers.ts'
import { isByAgent } from '../../contract/own-clients.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { required } from '../../runtime/untyped.ts'
import type { bugs } from './contract.ts'
import { type Bug, bug, bugActions, closing, Severity } from './subject.ts'

export const store = storeOf(bug)
const merging = { audit: bugActions.merge, undoAudit: bugActions.unmerge }
/** A release resolves bugs. */
export const releasing = releasingOf(store, {
  status: 'resolved',
  action: 'triage',
  audit: bugActions.triage,
  byVersions: true,
})
const weightOf = ({ severity }: z.output<typeof Bug>) => Severity.options.indexOf(severity)
/** What agents report again and again. */
export const floodable = floodableOf(store, { ...merging, mergeable: mergeableOf(store), open: closing.from, weightOf })

const triage: Handlers<typeof bugs>['triage'] = async (context, { id, reason, ...changes }) => {
  await context.db.transaction().execute(async (transaction) => {
    const before = await decide(store, { transaction, context, id, changes, reason })
    const { status, severity } = before
    const detail = { from: { status, severity }, to: changes }
    await recordModeration(transaction, context, { action: bugActions.triage, on: before, reason, detail })
    const act = { by: context.caller.id, now: context.now, on: { type: bug.type, id } }
    await recordStatus(transaction, act, { from: status, to: changes.status ?? status, reason })
  })
  return changes
}

/** `items` is what the library says of what bugs are about. */
export function bugHandlers(items: ItemsSeen): Handlers<typeof bugs> {
  const concerned = { ...store, concerning: concerning(bug.type, items) }
  return {
    ...countsHandler(store),
    ...statusHandlers(store, { audit: bugActions.close, closing }),
    ...mergeHandlers(store, merging),
    delete: deleteHandler(store),
    vote: voteHandler(store),
    ...commentHandlers(store, bug),
    ...labelHandlers(store, bugActions),
    triage,
    ...readHandlers(concerned, required(store.labelling).decorate),
    create: createHandler(
      concerned,
      (report, made) => ({ ...report, ...made, status: 'open', editedAt: null }),
      (db, { id }, context) => noteReport(context, db, { id, type: bug.type }),
    ),
    ...editHandlers(concerned, { audit: bugActions.edit, updated: (updatedAt) => ({ updatedAt }) }),
  }
}

/** Has a new report of an agent compared (content/floods): it is made as always, and a job compares it after its commit. */
async function noteReport(
  { caller, config, now }: Pick<Context<Caller>, 'caller' | 'config' | 'now'>,
  db: Transaction,
  { id, type }: { id: string; type: string },
): Promise<void> {
  if (config.mergeFloods && isByAgent(caller.via)) await insertCheck(db, { id, type, createdAt: now })
}
