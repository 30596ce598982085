// The erasure of who reported, whom moderators acted on, and who decided. What was done stays in the log, which names no account.
import { DELETED_USER } from '../../contract/deleted-user.ts'
import { ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import { forgetAuthor, forgetReporter } from './case-queries.ts'
import { forgetAccount, forgetActor } from './forgetting-queries.ts'

const part = 'account'
const from = (id: string) => ({ from: id, to: DELETED_USER, limit: ERASURE_BATCH })

export const reportErasure: readonly ErasureStep[] = [
  {
    ...{ name: 'reports', part, clears: ['report.reporterId'] },
    erase: async ({ db }, { id }) => (await forgetReporter(db, id, ERASURE_BATCH)) === ERASURE_BATCH,
  },
  {
    ...{ name: 'cases', part, clears: ['moderationCase.authorId'] },
    erase: async ({ db }, { id }) => (await forgetAuthor(db, from(id))) === ERASURE_BATCH,
  },
  {
    ...{ name: 'notices', part, clears: ['moderationAct.accountId'] },
    erase: async ({ db }, { id }) => (await forgetAccount(db, from(id))) === ERASURE_BATCH,
  },
  {
    ...{ name: 'decisions', part, clears: ['moderationAct.actorId'] },
    erase: async ({ db }, { id }) => (await forgetActor(db, id, ERASURE_BATCH)) === ERASURE_BATCH,
  },
]
