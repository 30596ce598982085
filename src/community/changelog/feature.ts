// The changelog, as a feature of the application. A release closes what it names.

import { hidingOf } from '../../content/hiding/subject-hiding.ts'
import type { Feature, Things } from '../../content/manifest.ts'
import { thingErasure } from '../../content/subject-erasure.ts'
import { changelogHandlers, store } from './handlers.ts'

export const changelogFeature = {
  handlers: ({ releasings }: Pick<Things, 'releasings'>) => ({ changelog: changelogHandlers(releasings) }),
  commentables: [store],
  votables: [store],
  hidings: [hidingOf(store)],
  erasure: { steps: () => [thingErasure(store, ['title', 'body'])] },
} satisfies Feature
