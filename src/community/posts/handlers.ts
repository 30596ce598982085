// Posts have nothing beyond what every subject has.

import { commentHandlers, voteHandler } from '../../content/discussion-handlers.ts'
import { editHandlers } from '../../content/edits/handlers.ts'
import { mergeableOf, mergeHandlers } from '../../content/merging/handlers.ts'
import { countsHandler, createHandler, deleteHandler, readHandlers } from '../../content/subject-handlers.ts'
import { storeOf } from '../../content/subject-queries.ts'
import type { Handlers } from '../../request/handler.ts'
import { labelHandlers, labellingOf } from '../labels/labels.ts'
import type { posts } from './contract.ts'
import { post, postActions } from './subject.ts'

const labelling = labellingOf(post)
export const store = storeOf(post, labelling.companion)
const merging = { audit: postActions.merge, undoAudit: postActions.unmerge, labelling }
/** What can be merged, for the background. */
export const mergeable = mergeableOf(store, labelling)

export const handlers: Handlers<typeof posts> = {
  ...readHandlers(store, labelling.decorate),
  ...countsHandler(store),
  create: createHandler(store, (written, { updatedAt: _, ...made }) => ({ ...written, ...made, editedAt: null })),
  ...editHandlers(store, { audit: postActions.edit }),
  ...mergeHandlers(store, merging),
  delete: deleteHandler(store),
  vote: voteHandler(store),
  ...commentHandlers(store, post),
  ...labelHandlers(store, labelling, postActions),
}
