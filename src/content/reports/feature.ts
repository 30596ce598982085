// Reports, and the work of the moderators.

import type { Feature } from '../manifest.ts'
import { lockCase } from './case-queries.ts'
import type { Powers } from './deciding.ts'
import { reportErasure } from './erasure.ts'
import { moderationHandlers, reportHandlers } from './handlers.ts'

export const reportsFeature = {
  handlers: ({ powers }: { powers: Powers }) => ({
    ...{ reports: reportHandlers(powers), moderation: moderationHandlers(powers) },
  }),
  erasure: { steps: () => reportErasure },
  paths: { case: ['/community/moderation/cases/{id}'] },
  locks: { case: lockCase },
} satisfies Feature
