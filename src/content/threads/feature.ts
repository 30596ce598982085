// What is decided about things beside their records.
import { DELETED_USER } from '../../contract/deleted-user.ts'
import { clearing, ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import type { Feature, Things } from '../manifest.ts'
import { handlersOfThreads } from './handlers.ts'
import { deleteAssignmentsOf, updateChangeAccounts, updateChangeActors } from './queries.ts'

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
  handlers: ({ threads }: Pick<Things, 'threads'>) => ({ threads: handlersOfThreads(threads) }),
  erasure: {
    steps: () => [changeErasure, clearing('assignments', ['assignment.userId'], deleteAssignmentsOf)],
  },
} satisfies Feature
