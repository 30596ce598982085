// Posts have nothing beyond what every subject has.

import { editHandlers } from '../../content/edits/handlers.ts'
import { labelHandlers } from '../../content/labels/labels.ts'
import { mergeHandlers } from '../../content/merging/handlers.ts'
import { storeOf } from '../../content/store/queries.ts'
import { commentHandlers, voteHandler } from '../../content/subjects/discussion-handlers.ts'
import { countsHandler, createHandler, deleteHandler, readHandlers } from '../../content/subjects/handlers.ts'
import type { Handlers } from '../../request/handler.ts'
import { required } from '../../runtime/untyped.ts'
import type { posts } from './contract.ts'
import { post, postActions } from './subject.ts'

export const store = storeOf(post)
const merging = { audit: postActions.merge, undoAudit: postActions.unmerge }

export const handlers: Handlers<typeof posts> = {
  ...readHandlers(store, required(store.labelling).decorate),
  ...countsHandler(store),
  create: createHandler(store, (written, { updatedAt: _, ...made }) => ({ ...written, ...made, editedAt: null })),
  ...editHandlers(store, { audit: postActions.edit }),
  ...mergeHandlers(store, merging),
  delete: deleteHandler(store),
  vote: voteHandler(store),
  ...commentHandlers(store, post),
  ...labelHandlers(store, postActions),
}
