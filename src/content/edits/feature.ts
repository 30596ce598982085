// Edits of texts, with their history, and changes of status.
import { DELETED_USER } from '../../contract/no-account.ts'
import { ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import type { Feature } from '../manifest.ts'
import { updateActors, updateEditors } from '../rows/revision-queries.ts'

/** Who changed texts of others: those of a revision are by another author, or by one who stays as "deleted user". */
const revisionErasure: ErasureStep = {
  name: 'revisions',
  part: 'content',
  clears: ['revision.editorId'],
  erase: async ({ db }, { id }) =>
    (await updateEditors(db, { from: id, to: DELETED_USER, limit: ERASURE_BATCH })) === ERASURE_BATCH,
}

/** The status of a thing stays. The reason was written by the account: it goes with what the account wrote. */
const statusChangeErasure: ErasureStep = {
  name: 'status-changes',
  part: 'content',
  clears: ['statusChange.actorId'],
  async erase({ db }, { id, content }) {
    const changed = { from: id, to: DELETED_USER, limit: ERASURE_BATCH, withReason: content === 'anonymise' }
    return (await updateActors(db, changed)) === ERASURE_BATCH
  },
}

export const editsFeature = { erasure: { steps: () => [revisionErasure, statusChangeErasure] } } satisfies Feature
