// Posts have nothing beyond what every subject has.
import { editHandlers } from '../../content/edits/handlers.ts'
import {
  commentHandlers,
  createHandler,
  deleteHandler,
  readHandlers,
  voteHandler,
} from '../../content/subject-handlers.ts'
import { storeOf } from '../../content/subject-queries.ts'
import type { Handlers } from '../../request/handler.ts'
import type { posts } from './contract.ts'
import { post, postActions } from './subject.ts'

export const store = storeOf(post)

export const handlers: Handlers<typeof posts> = {
  ...readHandlers(store),
  create: createHandler(store, (written, { updatedAt: _, ...made }) => ({ ...written, ...made, editedAt: null })),
  ...editHandlers(store, { audit: postActions.edit }),
  delete: deleteHandler(store),
  vote: voteHandler(store),
  ...commentHandlers(store, post),
}
