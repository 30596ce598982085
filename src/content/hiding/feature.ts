// Hiding everything of an account.

import { more, queue } from '../../core/jobs/job.ts'
import type { Feature, JobSource, Work } from '../manifest.ts'
import type { HideableKind } from '../things.ts'
import { findOldest } from './sweep-queries.ts'

export const hidingFeature = {
  jobs: ({ db }: JobSource, work: Work<{ swept: readonly HideableKind[] }>) => [
    {
      kind: 'accounts.hide',
      summary: 'hides or shows everything of an account',
      wake: { find: async () => queue(await findOldest(db)) },
      async batch() {
        const { dependencies, services } = work()
        const { sweepBatch } = await import('./sweeping.ts')
        return more(await sweepBatch(dependencies, services.swept))
      },
    },
  ],
} satisfies Feature
