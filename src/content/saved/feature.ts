// Lists with filters that members saved, and those that moderators share in boards.

import { clearing } from '../../identity/erasure.ts'
import { lazily } from '../../request/lazily.ts'
import type { Feature } from '../manifest.ts'
import { savedFilters } from './contract.ts'
import type { ListInputs } from './rules.ts'

export const savedFeature = {
  handlers: ({ listInputs }: { listInputs: ListInputs }) => ({
    savedFilters: lazily(savedFilters, async () => (await import('./handlers.ts')).savedHandlers(listInputs)),
  }),
  erasure: {
    steps: async () => [
      clearing('saved-filters', ['savedFilter.userId'], (await import('./queries.ts')).deleteSavedOf),
      clearing('shared-filters', ['sharedFilter.userId'], (await import('./shared-queries.ts')).forgetSharer),
    ],
  },
} satisfies Feature
