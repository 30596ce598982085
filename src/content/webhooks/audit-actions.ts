// What the audit log records of webhooks.
import { auditActions } from '../../contract/audit.ts'

export const webhookActions = auditActions('webhook', {
  create: 'Added a webhook',
  update: 'Changed a webhook',
  delete: 'Removed a webhook',
  rotate: 'Changed the secret of a webhook',
})
