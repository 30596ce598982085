// What is decided about things beside their records.
import { DELETED_USER } from '../../contract/no-account.ts'
import { clearing, ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import { lazily } from '../../request/lazily.ts'
import type { Feature, Things } from '../manifest.ts'
import { threads } from './contract.ts'
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
  handlers: (things: Pick<Things, 'threads'>) => ({
    threads: lazily(threads, async () => (await import('./handlers.ts')).handlersOfThreads(things.threads)),
  }),
  erasure: {
    steps: () => [changeErasure, clearing('assignments', ['assignment.userId'], deleteAssignmentsOf)],
  },
} satisfies Feature
