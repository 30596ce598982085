// Feature requests, as a feature of the application.

import type { ItemsSeen } from '../../content/about/about.ts'
import type { Feature } from '../../content/manifest.ts'
import { subjectFeature } from '../../content/subjects/subject-feature.ts'
import { featureHandlers, releasing, store } from './handlers.ts'

/** What other slices may ask of feature requests. */
export { store } from './handlers.ts'

export const requestsFeature = {
  ...subjectFeature(store, ['title', 'description']),
  handlers: ({ items }: { items: ItemsSeen }) => ({ features: featureHandlers(items) }),
  releasings: [releasing],
} satisfies Feature
