// Notifications and follows.

import { type Job, more, queue } from '../../core/jobs/job.ts'
import { engineOf } from '../../database/engine.ts'
import { lazily } from '../../request/lazily.ts'
import type { Feature, JobSource, Work } from '../manifest.ts'
import { notifications } from './contract.ts'
import { findOldest } from './event-queries.ts'
import { follows } from './follow-contract.ts'
import type { HeadsOf } from './letters.ts'
import { isMailDue } from './mailing-queries.ts'
import type { Streams } from './streams.ts'

interface Services {
  streams: Streams
  pending: { headsOf: HeadsOf }
  followable: ReadonlySet<string>
}

/** Events that are delivered beside each other by processes that share PostgreSQL. */
const EVENT_SLOTS = 4

function deliveryJobs({ db }: JobSource, work: Work<Pick<Services, 'pending'> & { wakeWebhooks(): void }>): Job[] {
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
      kind: 'notifications.mail',
      summary: 'writes mails about notifications',
      wake: { find: async ({ now }) => queue((await isMailDue(db, now)) ? {} : undefined) },
      async batch() {
        const { dependencies, services } = work()
        const { mailBatch } = await import('./mailing.ts')
        return more(await mailBatch({ ...dependencies, headsOf: services.pending.headsOf }))
      },
    },
  ]
}

export const notificationsFeature = {
  handlers: ({ streams, pending, followable }: Services) => ({
    notifications: lazily(notifications, async () =>
      (await import('./handlers.ts')).notificationHandlers(streams, pending.headsOf),
    ),
    follows: lazily(follows, async () => (await import('./handlers.ts')).followHandlers(followable)),
  }),
  erasure: { steps: async () => (await import('./erasure-queries.ts')).notificationErasure },
  jobs: deliveryJobs,
  cleanUps: {
    notifications: [
      'old notifications and events',
      async (now, { db, config }) => (await import('./clean-up.ts')).deleteOldNotifications(db, now, config.keptDays),
    ],
  },
} satisfies Feature
