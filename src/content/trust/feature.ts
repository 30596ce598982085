// Levels of trust.
import { more } from '../../core/jobs/job.ts'
import type { Feature, JobSource, Work } from '../manifest.ts'

export const trustFeature = {
  jobs: (_: JobSource, work: Work) => [
    {
      kind: 'trust.weigh',
      summary: 'weighs how far accounts are trusted, where levels are on',
      wake: { every: 60 },
      async batch() {
        const { dependencies } = work()
        if (!dependencies.config.trust) return undefined
        return more(await (await import('./trust.ts')).weighSome(dependencies))
      },
    },
  ],
} satisfies Feature
