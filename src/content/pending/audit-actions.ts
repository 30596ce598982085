// What the audit log records of writes that wait for a yes.
import { auditActions } from '../../contract/audit.ts'

export const pendingActions = auditActions('pending-act', {
  approve: 'Agreed to a write of an agent',
  refuse: 'Refused a write of an agent',
})
