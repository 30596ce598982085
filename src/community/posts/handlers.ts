// Posts have nothing beyond what every subject has.

import { commentHandlers, voteHandler } from '../../content/discussion-handlers.ts'
import { editHandlers } from '../../content/edits/handlers.ts'
import { labelHandlers } from '../../content/labels/labels.ts'
import { mergeHandlers } from '../../content/merging/handlers.ts'
import { countsHandler, createHandler, deleteHandler, readHandlers } from '../../content/subject-handlers.ts'
import { storeOf } from '../../content/subject-queries.ts'
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
