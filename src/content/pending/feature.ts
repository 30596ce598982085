// Writes of agents that wait for the yes of their account.

import { clearing } from '../../identity/erasure.ts'
import type { Feature } from '../manifest.ts'
import type { pendingHandlers } from './handlers.ts'
import { deleteActsOf } from './queries.ts'

interface Services {
  pending: { handlers: ReturnType<typeof pendingHandlers> }
}

export const pendingFeature = {
  handlers: ({ pending }: Services) => ({ pendingActs: pending.handlers }),
  erasure: { steps: () => [clearing('pending-acts', ['pendingAct.userId', 'pendingFile.userId'], deleteActsOf)] },
} satisfies Feature
