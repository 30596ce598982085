// Two ways with other trackers, as a feature of the application.
import type { Feature, JobSource, Work } from '../../content/manifest.ts'
import { more } from '../../core/jobs/job.ts'
import { clearing } from '../../identity/erasure.ts'
import type { CallActing } from '../../request/acting.ts'
import { lazily } from '../../request/lazily.ts'
import { after } from '../../runtime/clock.ts'
import { trackers } from './contract.ts'
import { trackerAccounts } from './own-contract.ts'
import { clearLinkedAccount, clearOwnAccount, clearTrackersBy, findTrackerTitles, listBusy } from './queries.ts'
import { POLL_SECONDS } from './rules.ts'

/** Links that a process works on at once. */
const AT_ONCE = 4
/** A bug with many comments takes many requests. */
const LONGEST_BATCH_SECONDS = 600

export const trackersFeature = {
  handlers: {
    trackers: lazily(trackers, async () => (await import('./handlers.ts')).handlers),
    trackerAccounts: lazily(trackerAccounts, async () => (await import('./own-handlers.ts')).handlers),
  },
  jobs: ({ db }: JobSource, work: Work<{ callActing: CallActing }>) => [
    {
      kind: 'trackers.sync',
      summary: 'makes bugs and issues of linked repositories the same',
      wake: { find: ({ now, limit }) => listBusy(db, { now, limit, pollBefore: after(now, -POLL_SECONDS) }) },
      atOnce: AT_ONCE,
      longestBatchSeconds: LONGEST_BATCH_SECONDS,
      async batch({ key }) {
        const { dependencies, services } = work()
        const { syncBatch } = await import('./batch.ts')
        return more(await syncBatch({ dependencies, callActing: services.callActing }, key))
      },
    },
  ],
  erasure: {
    steps: () => [
      clearing('tracker-links', ['tracker.createdBy'], clearTrackersBy),
      clearing('tracker-people', ['trackerPerson.linkedAccountId'], clearLinkedAccount),
      clearing('tracker-own', ['trackerPerson.ownAccountId'], clearOwnAccount),
    ],
  },
  titles: { tracker: findTrackerTitles },
} satisfies Feature
