// The changelog, as a feature of the application. A release closes what it names.

import { hidingOf } from '../../content/hiding/subject-hiding.ts'
import type { Feature, JobSource, Things, Work } from '../../content/manifest.ts'
import { thingErasure } from '../../content/subject-erasure.ts'
import { more, queue } from '../../core/jobs/job.ts'
import { timestamp } from '../../runtime/clock.ts'
import { closeNext } from './closing.ts'
import { changelogHandlers, store } from './handlers.ts'
import { findPending } from './queries.ts'

export const changelogFeature = {
  handlers: ({ releasings }: Pick<Things, 'releasings'>) => ({ changelog: changelogHandlers(releasings) }),
  commentables: [store],
  votables: [store],
  hidings: [hidingOf(store)],
  erasure: { steps: () => [thingErasure(store, ['title', 'body'])] },
  jobs: ({ db, clock }: JobSource, work: Work<Pick<Things, 'releasings'>>) => [
    {
      kind: 'releases.close',
      summary: 'closes the bugs and feature requests that a release names',
      wake: { find: async () => queue((await findPending(db)) && {}) },
      batch: async () => more(await closeNext({ db, now: timestamp(clock.now()) }, work().services.releasings)),
    },
  ],
} satisfies Feature
