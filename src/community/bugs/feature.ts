// Bugs, as a feature of the application.

import { hidingOf } from '../../content/hiding/subject-hiding.ts'
import type { Feature } from '../../content/manifest.ts'
import { thingErasure } from '../../content/subject-erasure.ts'
import { handlers, mergeable, releasing, store } from './handlers.ts'
import { prompts } from './prompts.ts'

export const bugsFeature = {
  handlers: { bugs: handlers },
  commentables: [store],
  votables: [store],
  mergeables: [mergeable],
  threads: [store],
  releasings: [releasing],
  hidings: [hidingOf(store)],
  erasure: { steps: () => [thingErasure(store, ['title', 'description'])] },
  prompts,
} satisfies Feature
