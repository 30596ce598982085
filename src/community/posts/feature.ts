// Posts, as a feature of the application.

import type { Feature } from '../../content/manifest.ts'
import { subjectFeature } from '../../content/subjects/subject-feature.ts'
import { handlers, store } from './handlers.ts'

/** What other slices may ask of posts. */
export { store } from './handlers.ts'

export const postsFeature = {
  ...subjectFeature(store, ['title', 'body']),
  handlers: { posts: handlers },
} satisfies Feature
