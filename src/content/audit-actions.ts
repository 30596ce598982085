// What the audit log records of content of every kind.
import { auditActions } from '../contract/audit.ts'

export const commentActions = auditActions('comment', { edit: 'Edited a comment', delete: 'Deleted a comment' })
