// A member proves to be a person of a tracker: the person writes a code of the account as a comment. It counts for the person that the account
// named alone, so that others who read it there can do nothing with it, and not where someone changed the comment.

import { record } from '../../audit/audit.ts'
import { trackerHost } from '../../config/tracker-hosts.ts'
import { lockUser } from '../../identity/account-queries.ts'
import { trackerAccountActions } from '../../identity/audit-actions.ts'
import { isActive } from '../../identity/rules.ts'
import {
  deleteEndedAccounts,
  findAsked,
  findProvenAccount,
  lockTrackerAccount,
  proveTrackerAccount,
} from '../../identity/tracker-account-queries.ts'
import { sha256 } from '../../runtime/hash.ts'
import type { Comment } from './service.ts'
import { nowOf, type Syncing } from './syncing.ts'

/** Links who wrote a comment with the account whose code it has; where it is none, or counts no more, nothing happens. */
export async function readProof(syncing: Syncing, { user: person, isEdited }: Comment, code: string): Promise<void> {
  const { dependencies, tracker } = syncing
  const { db, config } = dependencies
  if (!person || isEdited) return
  const now = nowOf(syncing)
  const asked = { codeHash: sha256(code), now, host: trackerHost(config, tracker.source), personId: person.id }
  const found = await findAsked(db, asked)
  if (!found) return
  await db.transaction().execute(async (transaction) => {
    const user = await lockUser(transaction, { id: found.userId })
    if (!user || !isActive(user)) return
    const key = { userId: user.id, service: tracker.source }
    const row = await lockTrackerAccount(transaction, key)
    // Read again under the locks: it may have been forgotten, or used.
    if (row?.codeHash !== asked.codeHash || !(await findAsked(transaction, asked))) return
    if (await findProvenAccount(transaction, asked)) return
    await deleteEndedAccounts(transaction, { host: asked.host, personId: person.id })
    await proveTrackerAccount(transaction, { ...key, login: person.login, linkedAt: now })
    const act = { action: trackerAccountActions.link, actorId: user.id, targetType: 'user', targetId: user.id }
    await record(transaction, now, { ...act, detail: { service: tracker.source, login: person.login } })
  })
}
