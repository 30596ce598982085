// The erasure of what an account has in the library, in the order of ../erasure.ts: what it published for teams goes on before it leaves
// them. An owner may delete an item at any time, also one that others depend on, and so may the erasure.
import { isRemoved } from '../content/hiding/rules.ts'
import { recordGone } from '../content/notifications/events.ts'
import { moveKeptSlugs } from '../content/slugs.ts'
import { DELETED_USER } from '../contract/no-account.ts'
import type { Db, InvitationTable } from '../database/schema.ts'
import { ERASURE_BATCH, type ErasureStep } from '../identity/erasure.ts'
import { timestamp } from '../runtime/clock.ts'
import { deleteEmptyCounts } from './indexing-queries.ts'
import { cleanUpOutcomes } from './outcomes/counting.ts'
import { endInvitations } from './owners/inviting.ts'
import { passToNext, reassignItem } from './owners/passing.ts'
import { deleteMembership, listExpired, listInvitationsNaming, listItemsOf, lockInvitation } from './owners/queries.ts'
import { deletePublishers } from './publishers/queries.ts'
import { removeItem } from './publishing/changes.ts'
import { deleteUploadsOf } from './publishing/queries.ts'
import { deleteOldUploads } from './publishing/rate.ts'
import { findLockedItem, listIdsOf } from './queries.ts'
import { logVersions, restate } from './statements/logging.ts'
import { deleteKeysOf, listStatements, listStatementsBy } from './statements/queries.ts'
import { item as subject } from './subject.ts'
import { leaveAll } from './teams/leaving.ts'
import { deleteHandoversOf, lockTeam } from './teams/queries.ts'
import { cleanUpDownloads } from './versions/downloads.ts'

/**
 * Private items are deleted; public ones stay with all their versions, without their owner, unless the account deletes what it wrote. An
 * item with another owner goes to that one, and one of a team to another of its people.
 */
export const itemErasure: ErasureStep = {
  name: 'items',
  part: 'content',
  clears: ['libraryItem.ownerId', 'itemText.owner', 'feedEntry.authorId', 'searchDocument.authorId'],
  async erase({ db, clock }, account) {
    const ids = await listIdsOf(db, { authorId: account.id, after: '', limit: ERASURE_BATCH })
    const now = timestamp(clock.now())
    for (const id of ids) {
      await db.transaction().execute(async (transaction) => {
        const item = await findLockedItem(transaction, id)
        if (item?.ownerId !== account.id) return
        if ((await passToNext(transaction, item)) !== undefined) return
        const isKept = item.visibility !== 'private' && !isRemoved(item) && account.content === 'anonymise'
        if (isKept) return reassignItem(transaction, item, { ownerId: DELETED_USER })
        await recordGone(transaction, { type: subject.type, id, isSeen: item.listed === 1 }, now)
        await removeItem(transaction, item)
      })
    }
    return ids.length === ERASURE_BATCH
  },
}

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

/**
 * Its name in statements: each is stated again without it, and logged again where it is public. The log itself has no names, only hashes of
 * statements.
 */
export const statementErasure: ErasureStep = {
  name: 'statements',
  part: 'account',
  clears: ['versionStatement.publisherId', 'versionStatement.approverId'],
  async erase({ db }, { id }) {
    const [first] = await listStatementsBy(db, id, 1)
    if (!first) return false
    await db.transaction().execute(async (transaction) => {
      const item = await findLockedItem(transaction, first.itemId)
      const all = await listStatements(transaction, first.itemId)
      const naming = all.filter(({ publisherId, approverId }) => publisherId === id || approverId === id)
      for (const { payload, publisherId, approverId } of naming.slice(0, ERASURE_BATCH)) {
        const nameless = {
          ...(publisherId === id && { publisher: null }),
          ...(approverId === id && { approver: null }),
        }
        await restate(transaction, payload, nameless)
      }
      if (item?.listed) await logVersions(transaction, item)
    })
    return true
  },
}

/** The keys with which an account signed. */
export const keyErasure: ErasureStep = {
  name: 'publisher keys',
  part: 'account',
  clears: ['publisherKey.accountId'],
  async erase({ db }, { id }) {
    await deleteKeysOf(db, id)
    return false
  },
}

/** The runs of CIs that publish as it. */
export const publisherErasure: ErasureStep = {
  name: 'trusted publishers',
  part: 'account',
  clears: ['trustedPublisher.accountId'],
  async erase({ db }, { id }) {
    await db.transaction().execute((transaction) => deletePublishers(transaction, { accountId: id }))
    return false
  },
}

/** What it is in teams. */
export const teamErasure: ErasureStep = {
  name: 'teams',
  part: 'account',
  clears: ['teamMember.accountId', 'teamHandover.accountId'],
  async erase(dependencies, { id }) {
    if ((await leaveAll(dependencies, id, ERASURE_BATCH)) === ERASURE_BATCH) return true
    await deleteHandoversOf(dependencies.db, id)
    return false
  },
}

/** Forgets uploads that no longer count and tags that nothing carries. */
export async function cleanUp(db: Db, now: string): Promise<void> {
  await deleteOldUploads(db, now)
  await cleanUpDownloads(db, now)
  await cleanUpOutcomes(db, now)
  await deleteEmptyCounts(db)
  await deleteExpired(db, now)
}
