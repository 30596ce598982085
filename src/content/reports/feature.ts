// Reports, and the work of the moderators.

import { deleteOldEvidence } from '../clean-up.ts'
import type { Feature } from '../manifest.ts'
import { lockCase } from './case-queries.ts'
import type { Powers } from './deciding.ts'
import { reportErasure } from './erasure.ts'
import { moderationHandlers, reportHandlers } from './handlers.ts'
import { purgeRemoved } from './purging.ts'

interface Services {
  powers: Powers
}

export const reportsFeature = {
  handlers: ({ powers }: Services) => ({
    ...{ reports: reportHandlers(powers), moderation: moderationHandlers(powers) },
  }),
  erasure: { steps: () => reportErasure },
  paths: { case: ['/community/moderation/cases/{id}'] },
  locks: { case: lockCase },
  cleanUps: {
    removed: [
      'what moderators removed',
      (now, dependencies, { powers }: Services) => purgeRemoved(dependencies, powers.hidings, now),
    ],
    evidence: ['evidence of old reports', (now, { db }) => deleteOldEvidence(db, now)],
  },
} satisfies Feature
