// Writes of agents that wait for the yes of their account.
import type { Feature } from '../manifest.ts'
import type { pendingHandlers } from './handlers.ts'

interface Services {
  pending: { handlers: ReturnType<typeof pendingHandlers> }
}

export const pendingFeature = {
  handlers: ({ pending }: Services) => ({ pendingActs: pending.handlers }),
} satisfies Feature
