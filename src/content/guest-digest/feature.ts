// Digests for people without an account.
import { type Job, more, queue } from '../../core/jobs/job.ts'
import type { ErasureStep } from '../../identity/erasure.ts'
import { lazily } from '../../request/lazily.ts'
import type { Feature, JobSource, Work } from '../manifest.ts'
import { dueAt } from '../notifications/mailing-queries.ts'
import type { BoardedKind } from '../things.ts'
import { guestDigest } from './contract.ts'
import { deleteDigestsTo, deleteUnconfirmed, listDue } from './queries.ts'

function guestJobs({ db }: JobSource, work: Work<{ boarded: readonly BoardedKind[] }>): Job[] {
  return [
    {
      kind: 'guests.mail',
      summary: 'mails digests to guests',
      wake: { find: async ({ now }) => queue((await listDue(db, dueAt(now), 1)).length > 0 ? {} : undefined) },
      async batch() {
        const { dependencies, services } = work()
        const { mailGuests } = await import('./sending.ts')
        return more(await mailGuests({ ...dependencies, boarded: services.boarded }))
      },
    },
  ]
}

/** A guest may have made an account later: its address is known by itself alone. */
const erasure: ErasureStep = {
  ...{ name: 'guest-digests', part: 'account', clears: ['guestDigest.email'] },
  async erase({ db }, { email }) {
    await deleteDigestsTo(db, email)
    return false
  },
}

export const guestDigestFeature = {
  handlers: { guestDigest: lazily(guestDigest, async () => (await import('./handlers.ts')).handlers) },
  jobs: guestJobs,
  erasure: { steps: () => [erasure] },
  cleanUps: { guests: ['addresses of guests that were not confirmed', (now, { db }) => deleteUnconfirmed(db, now)] },
} satisfies Feature
