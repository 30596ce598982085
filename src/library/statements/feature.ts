// Signed statements of versions, and the keys of publishers.

import type { Feature, JobSource, Work } from '../../content/manifest.ts'
import { more, queue } from '../../core/jobs/job.ts'
import { lazily } from '../../request/lazily.ts'
import { timestamp } from '../../runtime/clock.ts'
import { listWaiting } from '../../transparency/queries.ts'
import { listDomains } from '../name-domains/domains.ts'
import { transparency } from './contract.ts'
import { publisherKeys } from './keys-contract.ts'

export const statementsFeature = {
  handlers: {
    transparency: lazily(transparency, async () => (await import('./handlers.ts')).handlers),
    publisherKeys: lazily(publisherKeys, async () => (await import('./keys-handlers.ts')).handlers),
  },
  erasure: {
    async steps() {
      const { statementErasure, keyErasure } = await import('./erasure.ts')
      return [statementErasure, keyErasure]
    },
  },
  jobs: ({ db, clock }: JobSource, work: Work) => [
    {
      kind: 'log.sequence',
      summary: 'gives entries of the log their places',
      wake: { find: async () => queue((await listWaiting(db, 1)).length > 0 ? {} : undefined) },
      async batch() {
        const { config, secretFor, log } = work().dependencies
        const { AT_ONCE, sequenceBatch } = await import('../../transparency/sequencing.ts')
        const placed = await sequenceBatch({ db, config, secretFor, log, now: () => timestamp(clock.now()) })
        return more(placed === AT_ONCE)
      },
    },
    {
      kind: 'domains.ask',
      summary: 'asks domains for the keys that prove names of MCP servers',
      wake: { find: (asked) => listDomains(db, asked) },
      atOnce: 4,
      async batch({ key }) {
        const { askDomain } = await import('../name-domains/asking.ts')
        await askDomain(work().dependencies, key)
        return undefined
      },
    },
    {
      kind: 'log.backfill',
      summary: 'takes what was public before there was a log into it',
      wake: { once: '1' },
      batch: async ({ cursor }) => (await import('./logging.ts')).backfillLog(db, cursor),
    },
  ],
} satisfies Feature
