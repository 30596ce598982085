// Gives what a placeholder wrote and voted to the account that took it over, some at a time; then the placeholder is erased as an account is.
import { updateAuthors } from '../../content/comment-rows/queries.ts'
import { addToEntries, reassignEntry } from '../../content/entries/entries.ts'
import { findOrigin, reassignImported, replaceImported } from '../../content/imported/queries.ts'
import { listMergedBy, updateMerged } from '../../content/merged/queries.ts'
import { lockMerged } from '../../content/merged/undo-queries.ts'
import { mergeableOf } from '../../content/merging/handlers.ts'
import { listVotedOn, mapVotesOf, storeVotes } from '../../content/votes/queries.ts'
import { pairOf } from '../../content/votes/rules.ts'
import { DELETED_USER } from '../../contract/no-account.ts'
import type { Db, ImportClaimTable, Transaction } from '../../database/schema.ts'
import { lockUser, updateUser } from '../../identity/account-queries.ts'
import { insertDeletion } from '../../identity/deletion-queries.ts'
import type { Clock } from '../../runtime/clock.ts'
import { timestamp } from '../../runtime/clock.ts'
import { changeAuthor } from '../../search/indexing.ts'
import { deleteClaim, findClaim } from './claim-queries.ts'
import { stores } from './writing.ts'

/** Of one transaction. */
const BATCH = 40

interface Merging {
  db: Transaction
  claim: ImportClaimTable
  /** Where the placeholder's own go: to its owner, or where those of an owner who is gone are. */
  to: string
}

/** Merges some of a placeholder; gives whether there is more. */
export const mergePerson = ({ db, clock }: { db: Db; clock: Clock }, placeholderId: string): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const claim = await findClaim(transaction, placeholderId)
    if (!claim) return false
    const owner = await lockUser(transaction, { id: claim.userId })
    const merging = { db: transaction, claim, to: owner ? claim.userId : DELETED_USER }
    for (const step of [mergeThings, mergeMerged, mergeComments, mergeVotes]) {
      if ((await step(merging)) > 0) return true
    }
    await end(merging, timestamp(clock.now()))
    return false
  })

async function mergeThings({ db, claim, to }: Merging): Promise<number> {
  for (const store of Object.values(stores)) {
    const ids = await store.listIdsOf(db, { authorId: claim.placeholderId, after: '', limit: BATCH })
    for (const id of ids) {
      const row = await store.findLockedAny(db, id)
      if (row?.authorId !== claim.placeholderId) continue
      await store.reassign(db, row, to)
      await reassignEntry(db, id, { authorId: to })
    }
    await changeAuthor(db, ids, { authorId: to, viaClientId: null })
    if (ids.length > 0) return ids.length
  }
  return 0
}

async function mergeMerged({ db, claim, to }: Merging): Promise<number> {
  const found = await listMergedBy(db, claim.placeholderId, BATCH)
  for (const { id, type } of found) {
    const store = stores[type as keyof typeof stores]
    await lockMerged(db, mergeableOf(store as never), id)
    await updateMerged(db, id, { authorId: to })
  }
  return found.length
}

async function mergeComments({ db, claim, to }: Merging): Promise<number> {
  const ids = await updateAuthors(db, { from: claim.placeholderId, to, limit: BATCH })
  if (ids.length > 0) await changeAuthor(db, ids, { authorId: to, viaClientId: null })
  return ids.length
}

async function mergeVotes(merging: Merging): Promise<number> {
  const { db, claim, to } = merging
  const targets = await listVotedOn(db, claim.placeholderId, BATCH)
  for (const id of targets) await mergeVote(merging, id)
  if (targets.length > 0) return targets.length
  return replaceImported(db, { from: claim.placeholderId, to, limit: BATCH })
}

/** A vote that the owner has stays, and counts once. */
async function mergeVote({ db, claim, to }: Merging, targetId: string): Promise<void> {
  const { placeholderId, scope, sourceId } = claim
  let store: (typeof stores)[keyof typeof stores] | undefined
  for (const one of Object.values(stores)) if (!store && (await one.findLockedAny(db, targetId))) store = one
  const [from, own] = [
    { targetId, userId: placeholderId },
    { targetId, userId: to },
  ]
  const votes = await mapVotesOf(db, [from, own])
  const value = votes.get(pairOf(from))
  if (value === undefined) return
  await storeVotes(db, [{ ...from, value: 0 }])
  if (store && to !== DELETED_USER && !votes.has(pairOf(own))) return storeVotes(db, [{ ...own, value }])
  const origin = await findOrigin(db, targetId)
  // Taking the import back leaves the vote that the owner has.
  const key = origin && { scope, type: 'vote', sourceId: JSON.stringify([origin.sourceId, sourceId]) }
  if (key) await reassignImported(db, key, DELETED_USER)
  if (!store) return
  await store.addScores(db, [{ id: targetId, score: -value }])
  await addToEntries(db, [{ id: targetId, score: -value }])
}

/** What is left of it, such as what others noted of the account, goes as with every account whose time has come. */
async function end({ db, claim }: Merging, now: string): Promise<void> {
  const { placeholderId: userId } = claim
  await deleteClaim(db, userId)
  const user = await lockUser(db, { id: userId })
  if (!user || user.deletionAt !== null) return
  // A moment that is over by every clock: nothing is left that someone could want to keep.
  const times = { requestedAt: now, eraseAt: user.createdAt, step: null, leasedUntil: '' }
  await insertDeletion(db, { userId, content: 'anonymise', requestedBy: 'owner', reason: null, ...times })
  await updateUser(db, userId, { deletionAt: now, updatedAt: now })
}
