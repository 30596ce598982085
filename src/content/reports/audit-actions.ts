// What the audit log records of the decisions of moderators.
import { auditActions } from '../../contract/audit.ts'

export const caseActions = auditActions('case', {
  decide: 'Decided a case',
  undo: 'Undid a decision',
  appeal: 'Decided an appeal',
})
