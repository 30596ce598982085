// The changelog, as a feature of the application. A release closes what it names.

import type { Feature, JobSource, Things, Work } from '../../content/manifest.ts'
import { subjectFeature } from '../../content/subjects/subject-feature.ts'
import { more, queue } from '../../core/jobs/job.ts'
import { timestamp } from '../../runtime/clock.ts'
import { changelogHandlers, store } from './handlers.ts'
import { findPending } from './queries.ts'

export const changelogFeature = {
  ...subjectFeature(store, ['title', 'body']),
  handlers: ({ releasings }: Pick<Things, 'releasings'>) => ({ changelog: changelogHandlers(releasings) }),
  jobs: ({ db, clock }: JobSource, work: Work<Pick<Things, 'releasings'>>) => [
    {
      kind: 'releases.close',
      summary: 'closes the bugs and feature requests that a release names',
      wake: { find: async () => queue((await findPending(db)) && {}) },
      async batch() {
        const { closeNext } = await import('../../content/edits/closing.ts')
        const { releases } = await import('./closing.ts')
        return more(await closeNext({ db, now: timestamp(clock.now()) }, work().services.releasings, releases))
      },
    },
  ],
} satisfies Feature
