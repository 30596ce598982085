// Lists with filters that members saved.

import { clearing } from '../../identity/erasure.ts'
import type { Feature } from '../manifest.ts'
import { handlers } from './handlers.ts'
import { deleteSavedOf } from './queries.ts'

export const savedFeature = {
  handlers: { savedFilters: handlers },
  erasure: { steps: () => [clearing('saved-filters', ['savedFilter.userId'], deleteSavedOf)] },
} satisfies Feature
