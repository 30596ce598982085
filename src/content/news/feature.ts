// What is new for a member, of every feature that has something that waits for an answer.

import { lazily } from '../../request/lazily.ts'
import type { Feature } from '../manifest.ts'
import { news } from './contract.ts'
import type { PendingOf } from './handlers.ts'

export const newsFeature = {
  handlers: ({ waiting }: { waiting: readonly PendingOf[] }) => ({
    news: lazily(news, async () => (await import('./handlers.ts')).newsHandlers(waiting)),
  }),
} satisfies Feature
