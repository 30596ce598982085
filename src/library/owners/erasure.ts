// Erases an account's roles on items of others, and its invitations. Its own items are erased by ../erasure.ts.
import type { Db, InvitationTable } from '../../database/schema.ts'
import { ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import { timestamp } from '../../runtime/clock.ts'
import { findLockedItem } from '../queries.ts'
import { lockTeam } from '../teams/queries.ts'
import { endInvitations } from './inviting.ts'
import * as queries from './queries.ts'

export const membershipErasure: ErasureStep = {
  name: 'memberships',
  part: 'account',
  clears: ['membership.accountId'],
  async erase({ db }, { id: accountId }) {
    const itemIds = await queries.listItemsOf(db, accountId, ERASURE_BATCH)
    for (const itemId of itemIds) {
      await db.transaction().execute(async (transaction) => {
        // The row of an item guards its people.
        await findLockedItem(transaction, itemId)
        await queries.deleteMembership(transaction, { itemId, accountId })
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
    const all = await queries.listInvitationsNaming(db, id, ERASURE_BATCH)
    await endAll(db, all, timestamp(clock.now()))
    return all.length === ERASURE_BATCH
  },
}

/** Deletes expired invitations and their notifications. */
export async function deleteExpired(db: Db, now: string): Promise<void> {
  for (;;) {
    const expired = await queries.listExpired(db, now, ERASURE_BATCH)
    await endAll(db, expired, now)
    if (expired.length < ERASURE_BATCH) return
  }
}

async function endAll(db: Db, all: readonly InvitationTable[], now: string): Promise<void> {
  for (const { id, itemId, teamId } of all) {
    await db.transaction().execute(async (transaction) => {
      if (itemId !== null) await findLockedItem(transaction, itemId)
      else if (teamId !== null) await lockTeam(transaction, teamId)
      const invitation = await queries.lockInvitation(transaction, id)
      if (invitation) await endInvitations(transaction, [invitation], now)
    })
  }
}
