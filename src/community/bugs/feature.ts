// Bugs, as a feature of the application.

import type { ItemsSeen } from '../../content/about/about.ts'
import type { Feature } from '../../content/manifest.ts'
import { subjectFeature } from '../../content/subjects/subject-feature.ts'
import { bugHandlers, floodable, releasing, store } from './handlers.ts'
import { prompts } from './prompts.ts'

/** What other slices may ask of bugs. */
export { store } from './handlers.ts'

export const bugsFeature = {
  ...subjectFeature(store, ['title', 'description']),
  handlers: ({ items }: { items: ItemsSeen }) => ({ bugs: bugHandlers(items) }),
  floodables: [floodable],
  releasings: [releasing],
  prompts,
} satisfies Feature
