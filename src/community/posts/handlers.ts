// Posts have nothing beyond what every subject has.

import { commentHandlers, voteHandler } from '../../content/discussion-handlers.ts'
import { editHandlers } from '../../content/edits/handlers.ts'
import { mergeableOf, mergeHandlers } from '../../content/merging/handlers.ts'
import { createHandler, deleteHandler, readHandlers } from '../../content/subject-handlers.ts'
import { storeOf } from '../../content/subject-queries.ts'
import type { Handlers } from '../../request/handler.ts'
import type { posts } from './contract.ts'
import { post, postActions } from './subject.ts'

export const store = storeOf(post)
const merging = { audit: postActions.merge, undoAudit: postActions.unmerge }
/** What can be merged, for the background. */
export const mergeable = mergeableOf(store)

export const handlers: Handlers<typeof posts> = {
  ...readHandlers(store),
  create: createHandler(store, (written, { updatedAt: _, ...made }) => ({ ...written, ...made, editedAt: null })),
  ...editHandlers(store, { audit: postActions.edit }),
  ...mergeHandlers(store, merging),
  delete: deleteHandler(store),
  vote: voteHandler(store),
  ...commentHandlers(store, post),
}
