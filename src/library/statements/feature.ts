// Signed statements of versions, and the keys of publishers.

import type { Feature, JobSource, Work } from '../../content/manifest.ts'
import { more, queue } from '../../core/jobs/job.ts'
import { timestamp } from '../../runtime/clock.ts'
import { AT_ONCE, isWaiting, sequenceBatch } from '../../transparency/sequencing.ts'
import { keyErasure, statementErasure } from '../erasure.ts'
import { handlers as transparency } from './handlers.ts'
import { handlers as publisherKeys } from './keys-handlers.ts'
import { backfillLog } from './logging.ts'

export const statementsFeature = {
  handlers: { transparency, publisherKeys },
  erasure: { steps: () => [statementErasure, keyErasure] },
  jobs: ({ db, clock }: JobSource, work: Work) => [
    {
      kind: 'log.sequence',
      summary: 'gives entries of the log their places',
      wake: { find: async () => queue((await isWaiting(db)) ? {} : undefined) },
      async batch() {
        const { config, secretFor, log } = work().dependencies
        const placed = await sequenceBatch({ db, config, secretFor, log, now: () => timestamp(clock.now()) })
        return more(placed === AT_ONCE)
      },
    },
    {
      kind: 'log.backfill',
      summary: 'takes what was public before there was a log into it',
      wake: { once: '1' },
      batch: ({ cursor }) => backfillLog(db, cursor),
    },
  ],
} satisfies Feature
