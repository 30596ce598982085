// Posts, as a feature of the application.

import { hidingOf } from '../../content/hiding/subject-hiding.ts'
import type { Feature } from '../../content/manifest.ts'
import { thingErasure } from '../../content/subject-erasure.ts'
import { handlers, mergeable, store } from './handlers.ts'

export const postsFeature = {
  handlers: { posts: handlers },
  commentables: [store],
  votables: [store],
  mergeables: [mergeable],
  threads: [store],
  hidings: [hidingOf(store)],
  erasure: { steps: () => [thingErasure(store, ['title', 'body'])] },
} satisfies Feature
