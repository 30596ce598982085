// The erasure of who reported, whom moderators acted on, and who decided. What was done stays in the log, which names no account.
import { DELETED_USER } from '../../contract/deleted-user.ts'
import type { Db } from '../../database/schema.ts'
import { clearing, ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import { after, timestamp } from '../../runtime/clock.ts'
import { forgetAccount, forgetActor } from './act-queries.ts'
import { EVIDENCE_DAYS, forgetAuthor, forgetReporter } from './case-queries.ts'
import { forgetEvidence } from './evidence-queries.ts'

type Forget = (db: Db, of: { from: string; to: string; limit: number }) => Promise<number>
const toDeleted = (forget: Forget) => (db: Db, from: string, limit: number) =>
  forget(db, { from, to: DELETED_USER, limit })

export const reportErasure: readonly ErasureStep[] = [
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
