// Reports of agents that come again and again.
import { more } from '../../core/jobs/job.ts'
import type { Feature, JobSource, Things, Work } from '../manifest.ts'
import { listWaiting } from './queries.ts'

export const floodsFeature = {
  jobs: ({ db }: JobSource, work: Work<Pick<Things, 'floodables'>>) => [
    {
      kind: 'floods.merge',
      summary: 'merges reports of agents that say nothing new, where that is on',
      wake: { find: ({ limit }) => listWaiting(db, limit) },
      async batch({ key }) {
        const { dependencies, services } = work()
        const { compare } = await import('./comparing.ts')
        await compare(dependencies, services.floodables, key)
        return undefined
      },
    },
    {
      kind: 'floods.return',
      summary: 'undoes merges of floods whose target changed since',
      wake: { every: 60 },
      async batch() {
        const { dependencies, services } = work()
        const { returnAstray } = await import('./comparing.ts')
        return more(await returnAstray(dependencies, services.floodables))
      },
    },
  ],
} satisfies Feature
