// Writes of agents that wait for the yes of their account.

import { clearing } from '../../identity/erasure.ts'
import { after, timestamp } from '../../runtime/clock.ts'
import type { Feature, JobSource, Work } from '../manifest.ts'
import type { pendingHandlers } from './handlers.ts'
import { deleteActsOf, deleteOldPending, forgetDecider, listApproved } from './queries.ts'

/** An act that was agreed to and not made for so long is taken up in the background: its process has stopped. */
const LEFT_SECONDS = 60

interface Services {
  pending: {
    handlers: ReturnType<typeof pendingHandlers>
    /** Makes a write that an account agreed to. */
    make(id: string): Promise<unknown>
  }
}

export const pendingFeature = {
  handlers: ({ pending }: Services) => ({ pendingActs: pending.handlers }),
  erasure: {
    steps: () => [
      clearing('pending-acts', ['pendingAct.userId', 'pendingFile.userId'], deleteActsOf),
      {
        name: 'decided-acts',
        part: 'account',
        clears: ['pendingAct.deciderId'],
        async erase({ db }, { id }) {
          await forgetDecider(db, id)
          return false
        },
      },
    ],
  },
  jobs: ({ db, clock }: JobSource, work: Work<Services>) => [
    {
      kind: 'pending.make',
      summary: 'makes writes that an account agreed to and whose process ended',
      wake: { find: ({ limit }) => listApproved(db, after(timestamp(clock.now()), -LEFT_SECONDS), limit) },
      batch: async ({ key }) => void (await work().services.pending.make(key)),
    },
  ],
  cleanUps: {
    pending: ['writes that waited for too long', (now, { db }) => deleteOldPending(db, now)],
  },
} satisfies Feature
