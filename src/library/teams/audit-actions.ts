// What the audit log records of teams.
import { auditActions } from '../../contract/audit.ts'

export const teamActions = auditActions('team', {
  create: 'Made a team',
  update: 'Changed a team',
  delete: 'Deleted a team',
  invite: 'Invited to a team',
  join: 'Joined a team',
  change_role: 'Changed a role in a team',
  remove: 'Removed from a team',
})
