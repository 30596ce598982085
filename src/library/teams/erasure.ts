// The erasure of what an account is in teams. What it published for them goes on before (../erasure.ts).
import { ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import { deleteHandoversOf } from './handover-queries.ts'
import { leaveAll } from './leaving.ts'

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
