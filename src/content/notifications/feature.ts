// Notifications and follows.

import type { Feature } from '../manifest.ts'
import { notificationErasure } from './erasure-queries.ts'
import { followHandlers, notificationHandlers } from './handlers.ts'
import type { HeadsOf } from './letters.ts'
import type { Streams } from './streams.ts'

interface Services {
  streams: Streams
  pending: { headsOf: HeadsOf }
  followable: ReadonlySet<string>
}

export const notificationsFeature = {
  handlers: ({ streams, pending, followable }: Services) => ({
    notifications: notificationHandlers(streams, pending.headsOf),
    follows: followHandlers(followable),
  }),
  erasure: { steps: () => notificationErasure },
} satisfies Feature
