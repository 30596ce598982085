// Merging things into others.

import { more } from '../../core/jobs/job.ts'
import type { Feature, JobSource, Things, Work } from '../manifest.ts'
import { listPending as listMerges } from '../merged/queries.ts'
import { forgetOldMerges, listPending as listUndos } from '../merged/undo-queries.ts'
import { hidingOfMerged } from './removal.ts'

export const mergingFeature = {
  erasure: { steps: async ({ mergeables }) => [(await import('./erasure.ts')).mergedErasure(mergeables)] },
  jobs: ({ db }: JobSource, work: Work<Pick<Things, 'mergeables'>>) => [
    {
      kind: 'merges.move',
      summary: 'moves what a merged thing had to its target',
      wake: { find: ({ limit }) => listMerges(db, limit) },
      async batch({ key }) {
        const { dependencies, services } = work()
        const { moveBatch } = await import('./moving.ts')
        return more(await moveBatch(dependencies, services.mergeables, key))
      },
    },
    {
      kind: 'merges.undo',
      summary: 'brings back what went over to a target',
      wake: { find: ({ limit }) => listUndos(db, limit) },
      async batch({ key }) {
        const { dependencies, services } = work()
        const { returnBatch } = await import('./undoing.ts')
        return more(await returnBatch(dependencies, services.mergeables, key))
      },
    },
  ],
  cleanUps: {
    merges: ['what undoes old merges', (now, { db }) => forgetOldMerges(db, now)],
  },
  sweptLast: ({ mergeables }) => [hidingOfMerged(mergeables)],
} satisfies Feature
