// Posts have nothing beyond what every subject has.
import { createHandler, deleteHandler, readHandlers, voteHandler } from '../../content/subject-handlers.ts'
import { storeOf } from '../../content/subject-queries.ts'
import type { Handlers } from '../../request/handler.ts'
import type { posts } from './contract.ts'
import { post } from './subject.ts'

const store = storeOf(post)

export const handlers: Handlers<typeof posts> = {
  ...readHandlers(store),
  create: createHandler(store, (written, { updatedAt: _, ...made }) => ({ ...written, ...made })),
  delete: deleteHandler(store),
  vote: voteHandler(store),
}
