// Notifications and follows.

import { type Job, more, queue } from '../../core/jobs/job.ts'
import { engineOf } from '../../database/engine.ts'
import type { Feature, JobSource, Work } from '../manifest.ts'
import { deleteOldNotifications } from './clean-up.ts'
import { deliverBatch } from './delivery.ts'
import { notificationErasure } from './erasure-queries.ts'
import { findOldest } from './event-queries.ts'
import { followHandlers, notificationHandlers } from './handlers.ts'
import type { HeadsOf } from './letters.ts'
import { isMailDue, mailBatch } from './mailing.ts'
import type { Streams } from './streams.ts'

interface Services {
  streams: Streams
  pending: { headsOf: HeadsOf }
  followable: ReadonlySet<string>
}

/** Events that are delivered beside each other by processes that share PostgreSQL. */
const EVENT_SLOTS = 4

function deliveryJobs({ db }: JobSource, work: Work<Pick<Services, 'pending'>>): Job[] {
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
      batch: async () => more(await deliverBatch(work().dependencies)),
    },
    {
      kind: 'notifications.mail',
      summary: 'writes mails about notifications',
      wake: { find: async ({ now }) => queue((await isMailDue(db, now)) ? {} : undefined) },
      async batch() {
        const { dependencies, services } = work()
        return more(await mailBatch({ ...dependencies, headsOf: services.pending.headsOf }))
      },
    },
  ]
}

export const notificationsFeature = {
  handlers: ({ streams, pending, followable }: Services) => ({
    notifications: notificationHandlers(streams, pending.headsOf),
    follows: followHandlers(followable),
  }),
  erasure: { steps: () => notificationErasure },
  jobs: deliveryJobs,
  cleanUps: {
    notifications: ['old notifications and events', (now, { db }) => deleteOldNotifications(db, now)],
  },
} satisfies Feature
