// The erasure of the writes of an account's agents that wait or waited for its yes.
import { ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import { deleteActsOf } from './queries.ts'

export const pendingErasure: ErasureStep = {
  name: 'pending-acts',
  part: 'account',
  clears: ['pendingAct.userId', 'pendingFile.userId'],
  erase: async ({ db }, { id }) => (await deleteActsOf(db, id, ERASURE_BATCH)) === ERASURE_BATCH,
}
