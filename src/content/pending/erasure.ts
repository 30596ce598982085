// The erasure of the writes of an account's agents that wait or waited for its yes.
import { clearing } from '../../identity/erasure.ts'
import { deleteActsOf } from './queries.ts'

export const pendingErasure = clearing('pending-acts', ['pendingAct.userId', 'pendingFile.userId'], deleteActsOf)
