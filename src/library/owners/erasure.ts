// The erasure of what an account is to items of others, and of its invitations. Its own items are erased by ../erasure.ts.
import type { Db, Transaction } from '../../database/schema.ts'
import { ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import { timestamp } from '../../runtime/clock.ts'
import { findLockedItem } from '../queries.ts'
import { endInvitations } from './inviting.ts'
import * as queries from './queries.ts'

export const membershipErasure: ErasureStep = {
  name: 'memberships',
  part: 'account',
  clears: ['membership.accountId'],
  async erase({ db }, { id: accountId }) {
    const itemIds = await queries.listItemsOf(db, accountId, ERASURE_BATCH)
    for (const itemId of itemIds) {
      await lockedItem(db, itemId, (transaction) => queries.deleteMembership(transaction, { itemId, accountId }))
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

/** Forgets invitations that can be accepted no more, with the notifications of them. */
export async function deleteExpired(db: Db, now: string): Promise<void> {
  for (;;) {
    const expired = await queries.listExpired(db, now, ERASURE_BATCH)
    await endAll(db, expired, now)
    if (expired.length < ERASURE_BATCH) return
  }
}

async function endAll(db: Db, all: readonly { id: string; itemId: string }[], now: string): Promise<void> {
  for (const { id, itemId } of all) {
    await lockedItem(db, itemId, async (transaction) => {
      const invitation = await queries.lockInvitation(transaction, id)
      if (invitation) await endInvitations(transaction, [invitation], now)
    })
  }
}

/** The row of an item guards its people. */
const lockedItem = (db: Db, itemId: string, run: (db: Transaction) => Promise<void>) =>
  db.transaction().execute(async (transaction) => {
    await findLockedItem(transaction, itemId)
    await run(transaction)
  })
