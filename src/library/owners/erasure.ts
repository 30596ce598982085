// The erasure of what an account is to items of others, and of what it has for its own: names, uploads, roles and invitations.
import { moveKeptSlugs } from '../../content/slug-queries.ts'
import { DELETED_USER } from '../../contract/no-account.ts'
import type { Db, InvitationTable } from '../../database/schema.ts'
import { ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import { timestamp } from '../../runtime/clock.ts'
import { deleteUploadsOf } from '../changing/queries.ts'
import {
  deleteMembership,
  listExpired,
  listInvitationsNaming,
  listItemsOf,
  lockInvitation,
} from '../holders/owner-queries.ts'
import { lockTeam } from '../holders/team-queries.ts'
import { findLockedItem } from '../items/queries.ts'
import { endInvitations } from './inviting.ts'

/** Names that were kept for the account belong to no account from then on, and stay taken. */
export const slugErasure: ErasureStep = {
  name: 'slugs',
  part: 'account',
  clears: ['keptSlug.ownerId'],
  async erase({ db }, { id }) {
    return (await moveKeptSlugs(db, { from: id, to: DELETED_USER, limit: ERASURE_BATCH })) === ERASURE_BATCH
  },
}

/** The uploads of the last hour. */
export const uploadErasure: ErasureStep = {
  name: 'uploads',
  part: 'account',
  clears: ['libraryUpload.accountId'],
  async erase({ db }, { id }) {
    await deleteUploadsOf(db, id)
    return false
  },
}

/** Its roles on items of others. */
export const membershipErasure: ErasureStep = {
  name: 'memberships',
  part: 'account',
  clears: ['membership.accountId'],
  async erase({ db }, { id: accountId }) {
    const itemIds = await listItemsOf(db, accountId, ERASURE_BATCH)
    for (const itemId of itemIds) {
      await db.transaction().execute(async (transaction) => {
        // The row of an item guards its people.
        await findLockedItem(transaction, itemId)
        await deleteMembership(transaction, { itemId, accountId })
      })
    }
    return itemIds.length === ERASURE_BATCH
  },
}

export const invitationErasure: ErasureStep = {
  name: 'invitations',
  part: 'account',
  clears: ['invitation.accountId', 'invitation.invitedBy'],
  async erase({ db, clock }, { id }) {
    const all = await listInvitationsNaming(db, id, ERASURE_BATCH)
    await endAll(db, all, timestamp(clock.now()))
    return all.length === ERASURE_BATCH
  },
}

/** Deletes expired invitations and their notifications. */
export async function deleteExpired(db: Db, now: string): Promise<void> {
  for (;;) {
    const expired = await listExpired(db, now, ERASURE_BATCH)
    await endAll(db, expired, now)
    if (expired.length < ERASURE_BATCH) return
  }
}

async function endAll(
  db: Db,
  all: readonly Pick<InvitationTable, 'id' | 'itemId' | 'teamId'>[],
  now: string,
): Promise<void> {
  for (const { id, itemId, teamId } of all) {
    await db.transaction().execute(async (transaction) => {
      if (itemId !== null) await findLockedItem(transaction, itemId)
      else if (teamId !== null) await lockTeam(transaction, teamId)
      const invitation = await lockInvitation(transaction, id)
      if (invitation) await endInvitations(transaction, [invitation], now)
    })
  }
}
