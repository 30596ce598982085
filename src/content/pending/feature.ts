// Writes of agents that wait for the yes of their account.

import { clearing } from '../../identity/erasure.ts'
import { deleteOldPending } from '../clean-up.ts'
import type { Feature, JobSource, Work } from '../manifest.ts'
import type { pendingHandlers } from './handlers.ts'
import { listLeft } from './making.ts'
import { deleteActsOf } from './queries.ts'

interface Services {
  pending: {
    handlers: ReturnType<typeof pendingHandlers>
    /** Makes a write that an account agreed to. */
    make(id: string): Promise<unknown>
  }
}

export const pendingFeature = {
  handlers: ({ pending }: Services) => ({ pendingActs: pending.handlers }),
  erasure: { steps: () => [clearing('pending-acts', ['pendingAct.userId', 'pendingFile.userId'], deleteActsOf)] },
  jobs: ({ db, clock }: JobSource, work: Work<Services>) => [
    {
      kind: 'pending.make',
      summary: 'makes writes that an account agreed to and whose process ended',
      wake: { find: ({ limit }) => listLeft({ db, clock }, limit) },
      batch: async ({ key }) => void (await work().services.pending.make(key)),
    },
  ],
  cleanUps: {
    pending: ['writes that waited for too long', (now, { db }) => deleteOldPending(db, now)],
  },
} satisfies Feature
