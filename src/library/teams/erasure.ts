// The erasure of an account from its teams.
import { ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import { deleteHandoversOf } from '../holders/team-queries.ts'
import { leaveAll } from './leaving.ts'

/** What it is in teams. */
export const teamErasure: ErasureStep = {
  name: 'teams',
  part: 'account',
  clears: ['teamMember.accountId', 'teamHandover.accountId'],
  async erase(dependencies, { id }) {
    if ((await leaveAll(dependencies, id, ERASURE_BATCH)) === ERASURE_BATCH) return true
    await deleteHandoversOf(dependencies.db, id)
    return false
  },
}
