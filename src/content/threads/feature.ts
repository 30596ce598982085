// What is decided about things beside their records.
import { sql } from 'kysely'
import { DELETED_USER } from '../../contract/no-account.ts'
import { deleteUntil } from '../../database/expiry.ts'
import { clearing, ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import { lazily } from '../../request/lazily.ts'
import { after } from '../../runtime/clock.ts'
import type { Feature, Things } from '../manifest.ts'
import { threads } from './contract.ts'
import { deleteAssignmentsOf, updateChangeAccounts, updateChangeActors } from './queries.ts'
import { deleteVisitsOf } from './visit-queries.ts'
import { VISIT_DAYS } from './visit-rules.ts'

const DAY_SECONDS = 86_400

/** What was decided stays. The reasons were written by the account: they go with what it wrote. */
const changeErasure: ErasureStep = {
  name: 'thread-changes',
  part: 'content',
  clears: ['threadChange.actorId', 'threadChange.accountId'],
  async erase({ db }, { id, content }) {
    const changed = { from: id, to: DELETED_USER, limit: ERASURE_BATCH }
    const made = await updateChangeActors(db, { ...changed, withReason: content === 'anonymise' })
    return made === ERASURE_BATCH || (await updateChangeAccounts(db, changed)) === ERASURE_BATCH
  },
}

export const threadsFeature = {
  handlers: (things: Pick<Things, 'threads'>) => ({
    threads: lazily(threads, async () => (await import('./handlers.ts')).handlersOfThreads(things.threads)),
  }),
  erasure: {
    steps: () => [
      changeErasure,
      clearing('assignments', ['assignment.userId'], deleteAssignmentsOf),
      clearing('thread-visits', ['threadVisit.userId'], deleteVisitsOf),
    ],
  },
  cleanUps: {
    visits: [
      'what accounts saw long ago',
      (now, { db }) =>
        deleteUntil(
          db,
          {
            ...{ table: 'threadVisit', key: ['userId', 'thingId'], since: 'seenAt' },
            where: sql<boolean>`"bookmarkedAt" is null`,
          },
          after(now, -VISIT_DAYS * DAY_SECONDS),
        ),
    ],
  },
} satisfies Feature
