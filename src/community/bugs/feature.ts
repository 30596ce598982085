// Bugs, as a feature of the application.

import type { Feature } from '../../content/manifest.ts'
import { subjectFeature } from '../../content/subject-feature.ts'
import { floodable, handlers, releasing, store } from './handlers.ts'
import { prompts } from './prompts.ts'

/** What other slices may ask of bugs. */
export { store } from './handlers.ts'

export const bugsFeature = {
  ...subjectFeature(store, ['title', 'description']),
  handlers: { bugs: handlers },
  floodables: [floodable],
  releasings: [releasing],
  prompts,
} satisfies Feature
