// Feature requests, as a feature of the application.

import type { Feature } from '../../content/manifest.ts'
import { subjectFeature } from '../../content/subject-feature.ts'
import { handlers, releasing, store } from './handlers.ts'

/** What other slices may ask of feature requests. */
export { store } from './handlers.ts'

export const requestsFeature = {
  ...subjectFeature(store, ['title', 'description']),
  handlers: { features: handlers },
  releasings: [releasing],
} satisfies Feature
