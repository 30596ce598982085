// The erasure of who changed texts and statuses of others. What belongs to things of the account went with them.
import { DELETED_USER } from '../../contract/deleted-user.ts'
import { ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import * as queries from './queries.ts'

/** The texts of a revision are those of another author, or of one who stays as "deleted user". */
export const revisionErasure: ErasureStep = {
  name: 'revisions',
  part: 'content',
  clears: ['revision.editorId'],
  erase: async ({ db }, { id }) =>
    (await queries.updateEditors(db, { from: id, to: DELETED_USER, limit: ERASURE_BATCH })) === ERASURE_BATCH,
}

/** The status of a thing stays. The reason was written by the account: it goes with what the account wrote. */
export const statusChangeErasure: ErasureStep = {
  name: 'status-changes',
  part: 'content',
  clears: ['statusChange.actorId'],
  async erase({ db }, { id, content }) {
    const changed = { from: id, to: DELETED_USER, limit: ERASURE_BATCH, withReason: content === 'anonymise' }
    return (await queries.updateActors(db, changed)) === ERASURE_BATCH
  },
}
