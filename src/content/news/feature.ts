// What is new for a member, of every feature that has something that waits for an answer.
import type { Feature } from '../manifest.ts'
import { newsHandlers, type PendingOf } from './handlers.ts'

export const newsFeature = {
  handlers: ({ waiting }: { waiting: readonly PendingOf[] }) => ({ news: newsHandlers(waiting) }),
} satisfies Feature
