// The erasure of an account's saved filters.
import { ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import { deleteSavedOf } from './queries.ts'

export const savedErasure: ErasureStep = {
  name: 'saved-filters',
  part: 'account',
  clears: ['savedFilter.userId'],
  erase: async ({ db }, { id }) => (await deleteSavedOf(db, id, ERASURE_BATCH)) === ERASURE_BATCH,
}
