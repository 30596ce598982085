// What happened becomes notifications, settled cases and deliveries of webhooks.
import { type Job, more } from '../../core/jobs/job.ts'
import { engineOf } from '../../database/engine.ts'
import type { Feature, JobSource, Work } from '../manifest.ts'
import { findOldest, listReturning } from '../notifications/event-queries.ts'

/** Events that are delivered beside each other by processes that share PostgreSQL. */
const EVENT_SLOTS = 4
/** A node of a cluster that does not answer holds a transaction up until its connection is given up. */
const LONGEST_RETURN_SECONDS = 600

function deliveryJobs({ db }: JobSource, work: Work<{ wakeWebhooks(): void }>): Job[] {
  const slots = engineOf(db) === 'postgres' ? EVENT_SLOTS : 1
  return [
    {
      kind: 'notifications.deliver',
      summary: 'makes notifications and deliveries of webhooks of what happened',
      wake: {
        find: async () => {
          const oldest = await findOldest(db)
          return oldest ? Array.from({ length: slots }, (_, slot) => ({ key: String(slot), ...oldest })) : []
        },
      },
      async batch() {
        const { dependencies, services } = work()
        const mayBeMore = await (await import('./delivery.ts')).deliverBatch(dependencies)
        // What it has queued goes out at once.
        if (mayBeMore) services.wakeWebhooks()
        return more(mayBeMore)
      },
    },
    {
      kind: 'notifications.return',
      summary: 'puts notifications into inboxes that come back, or whose node of the database was away',
      wake: { find: ({ limit }) => listReturning(db, limit) },
      longestBatchSeconds: LONGEST_RETURN_SECONDS,
      async batch(run) {
        const { dependencies, services } = work()
        const cursor = await (await import('./returning.ts')).returnBatch(dependencies, run)
        services.wakeWebhooks()
        return cursor
      },
    },
  ]
}

export const deliveryFeature = { jobs: deliveryJobs } satisfies Feature
