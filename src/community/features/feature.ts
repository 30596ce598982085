// Feature requests, as a feature of the application.

import { hidingOf } from '../../content/hiding/subject-hiding.ts'
import type { Feature } from '../../content/manifest.ts'
import { thingErasure } from '../../content/subject-erasure.ts'
import { handlers, mergeable, releasing, store } from './handlers.ts'

export const requestsFeature = {
  handlers: { features: handlers },
  commentables: [store],
  votables: [store],
  mergeables: [mergeable],
  threads: [store],
  releasings: [releasing],
  hidings: [hidingOf(store)],
  erasure: { steps: () => [thingErasure(store, ['title', 'description'])] },
} satisfies Feature
