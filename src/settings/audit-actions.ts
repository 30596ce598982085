// What the audit log records of settings.
import { auditActions } from '../contract/audit.ts'

export const settingActions = auditActions('setting', { change: 'Changed a setting' })
