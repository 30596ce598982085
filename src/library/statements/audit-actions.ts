// What the audit log records of keys for signing versions.
import { auditActions } from '../../contract/audit.ts'

export const keyActions = auditActions('publisher-key', {
  add: 'Added a key for signing versions',
  revoke: 'Revoked a key for signing versions',
})
