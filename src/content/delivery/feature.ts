// What happened becomes notifications, settled cases and deliveries of webhooks.
import { type Job, more } from '../../core/jobs/job.ts'
import { engineOf } from '../../database/engine.ts'
import type { Feature, JobSource, Work } from '../manifest.ts'
import { findOldest } from '../notifications/event-queries.ts'

/** Events that are delivered beside each other by processes that share PostgreSQL. */
const EVENT_SLOTS = 4

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
  ]
}

export const deliveryFeature = { jobs: deliveryJobs } satisfies Feature
