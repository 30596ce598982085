// Invitations that wait for an account, as its news shows them.
import type { PendingOf } from '../../content/news/handlers.ts'
import { listReceived } from './queries.ts'
import { MAX_LISTED } from './rules.ts'

export const pendingInvitations: PendingOf = async ({ db, caller, now }) => {
  const rows = await listReceived(db, caller.id, { now, limit: MAX_LISTED })
  return rows.map(({ id, name, teamName, inviterUsername: by, createdAt }) => ({
    ...{ type: 'invitation', id, title: name ?? teamName ?? '', by, createdAt },
  }))
}
