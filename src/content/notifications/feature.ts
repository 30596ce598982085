// Notifications and follows.

import { type Job, more, queue } from '../../core/jobs/job.ts'
import { lazily } from '../../request/lazily.ts'
import type { Feature, JobSource, Work } from '../manifest.ts'
import { notifications } from './contract.ts'
import { follows } from './follow-contract.ts'
import type { HeadsOf } from './letters.ts'
import { isMailDue } from './mailing-queries.ts'
import type { Streams } from './streams.ts'

interface Services {
  streams: Streams
  pending: { headsOf: HeadsOf }
  commentables: readonly { type: string }[]
  followable: ReadonlySet<string>
}

function mailJobs({ db }: JobSource, work: Work<Pick<Services, 'pending' | 'commentables'>>): Job[] {
  return [
    {
      kind: 'notifications.mail',
      summary: 'writes mails about notifications',
      wake: { find: async ({ now }) => queue((await isMailDue(db, now)) ? {} : undefined) },
      async batch() {
        const { dependencies, services } = work()
        const { mailBatch } = await import('./mailing.ts')
        return more(
          await mailBatch({ ...dependencies, headsOf: services.pending.headsOf, commentables: services.commentables }),
        )
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
  jobs: mailJobs,
  cleanUps: {
    notifications: [
      'old notifications and events',
      async (now, { db, config }) => (await import('./clean-up.ts')).deleteOldNotifications(db, now, config.keptDays),
    ],
  },
} satisfies Feature
