// Reports, and the work of the moderators.

import { DELETED_USER } from '../../contract/no-account.ts'
import { deleteUntil } from '../../database/expiry.ts'
import type { Db } from '../../database/schema.ts'
import { clearing, ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import { lazily } from '../../request/lazily.ts'
import { after, timestamp } from '../../runtime/clock.ts'
import type { Feature } from '../manifest.ts'
import { forgetAccount, forgetActor } from './act-queries.ts'
import { EVIDENCE_DAYS, forgetAuthor, forgetReporter, lockCase } from './case-queries.ts'
import { moderation, reports } from './contract.ts'
import type { Powers } from './deciding.ts'
import { forgetEvidence } from './evidence-queries.ts'

type Forget = (db: Db, of: { from: string; to: string; limit: number }) => Promise<number>
const toDeleted = (forget: Forget) => (db: Db, from: string, limit: number) =>
  forget(db, { from, to: DELETED_USER, limit })

const reportErasure: readonly ErasureStep[] = [
  clearing('reports', ['report.reporterId'], forgetReporter),
  clearing('cases', ['moderationCase.authorId'], toDeleted(forgetAuthor)),
  {
    name: 'evidence',
    part: 'account',
    clears: ['evidence.authorId'],
    async erase({ db, clock }, { id: authorId }) {
      const deleteAt = after(timestamp(clock.now()), EVIDENCE_DAYS * 86_400)
      const forgetting = { authorId, deleteAt, limit: ERASURE_BATCH }
      return (await db.transaction().execute((part) => forgetEvidence(part, forgetting))) === ERASURE_BATCH
    },
  },
  clearing('notices', ['moderationAct.accountId'], toDeleted(forgetAccount)),
  clearing('decisions', ['moderationAct.actorId'], forgetActor),
]

interface Services {
  powers: Powers
}

export const reportsFeature = {
  handlers: ({ powers }: Services) => ({
    reports: lazily(reports, async () => (await import('./handlers.ts')).reportHandlers(powers)),
    moderation: lazily(moderation, async () => (await import('./handlers.ts')).moderationHandlers(powers)),
  }),
  erasure: { steps: () => reportErasure },
  paths: { case: ['/community/moderation/cases/{id}'] },
  locks: { case: lockCase },
  cleanUps: {
    removed: [
      'what moderators removed',
      async (now, dependencies, { powers }: Services) =>
        (await import('./purging.ts')).purgeRemoved(dependencies, powers.hidings, now),
    ],
    evidence: [
      'evidence of old reports',
      (now, { db }) => deleteUntil(db, { table: 'evidence', key: 'id', since: 'deleteAt' }, now),
    ],
  },
} satisfies Feature
