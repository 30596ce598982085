// Takes an import back as a whole: its comments and things with all that is on them, its labels that nothing else has, and its accounts that did
// nothing else.
import { findComment } from '../../content/comment-rows/queries.ts'
import { deleteLocked, lockComment } from '../../content/comments/comments.ts'
import { addToEntries } from '../../content/entries/entries.ts'
import { deleteFullText, deleteImported, findImportedThing, listOfImport } from '../../content/imported/queries.ts'
import { findLabelUse, removeLabel } from '../../content/labels/labels.ts'
import { findMerged } from '../../content/merged/queries.ts'
import { mergeableOf } from '../../content/merging/handlers.ts'
import { hidingOfMerged } from '../../content/merging/removal.ts'
import { removeThing } from '../../content/subjects/handlers.ts'
import { markImageGone, markImagesGone } from '../../content/text-images/queries.ts'
import { mapVotesOf, storeVotes } from '../../content/votes/queries.ts'
import { pairOf } from '../../content/votes/rules.ts'
import type { Db, ImportedTable, Transaction } from '../../database/schema.ts'
import { deleteUser, lockUser } from '../../identity/account-queries.ts'
import type { Clock } from '../../runtime/clock.ts'
import { timestamp } from '../../runtime/clock.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { changeSearch } from '../../search/indexing.ts'
import { deletePerson, findPerson } from './claim-queries.ts'
import { NO_PICTURE, PICTURE } from './pictures.ts'
import { deleteRecords, hasWritten, lockImport, stepTo } from './queries.ts'
import { stores } from './writing.ts'

/** Of one transaction. */
const BATCH = 40
/** What goes after the other: nothing is left on what goes. */
const order = [['vote'], ['comment'], ['bug', 'feature', 'post'], [PICTURE, NO_PICTURE], ['label'], ['user']] as const

/** Takes some of an import back; gives whether there is more. */
export const revertImport = ({ db, clock }: { db: Db; clock: Clock }, id: string): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const row = await lockImport(transaction, id)
    if (row?.state !== 'reverting') return false
    const now = timestamp(clock.now())
    if ((await deleteRecords(transaction, id, BATCH * 20)) > 0) return true
    await markImagesGone(transaction, [id])
    for (const types of order) {
      const some = await listOfImport(transaction, { importId: id, types, limit: BATCH })
      for (const one of some) {
        await takeBack(transaction, one, now)
        await deleteImported(transaction, one)
      }
      if (some.length > 0) return true
    }
    await stepTo(transaction, id, { to: 'reverted', endedAt: now, error: null })
    return false
  })

async function takeBack(db: Transaction, one: ImportedTable, now: string): Promise<void> {
  const { type, thingId } = one
  switch (type) {
    case 'vote':
      return takeVoteBack(db, one)
    case 'comment':
      return takeCommentBack(db, { id: thingId, now })
    case PICTURE:
      return markImageGone(db, thingId)
    case NO_PICTURE:
      return
    case 'label': {
      const label = await findLabelUse(db, thingId)
      if (label && !label.isUsed) await removeLabel(db, thingId)
      return
    }
    case 'user': {
      const { scope, sourceId } = one
      const person = await findPerson(db, { scope, sourceId })
      await deletePerson(db, { scope, sourceId })
      // An account that took the person over is its owner's.
      if (person?.claimedAt) return
      const user = await lockUser(db, { id: thingId })
      if (user && user.emailVerifiedAt === null && !(await hasWritten(db, thingId))) await deleteUser(db, thingId)
      return
    }
    default: {
      const store = stores[type as keyof typeof stores]
      const row = await store.findLockedAny(db, thingId)
      if (row) await removeThing(db, store, { row, now })
      else await forgetMerged(db, thingId)
      await deleteFullText(db, thingId)
    }
  }
}

/** The vote of a person on a thing, also on one of an earlier import. */
async function takeVoteBack(db: Transaction, { scope, sourceId, thingId: userId }: ImportedTable): Promise<void> {
  const [thing = ''] = parseJson<string[]>(sourceId)
  const on = await findImportedThing(db, { scope, sourceId: thing })
  const store = on && stores[on.type as keyof typeof stores]
  if (!on || !store || !(await store.findLockedAny(db, on.thingId))) return
  const pair = { targetId: on.thingId, userId }
  const value = (await mapVotesOf(db, [pair])).get(pairOf(pair))
  if (value === undefined) return
  await storeVotes(db, [{ ...pair, value: 0 }])
  await store.addScores(db, [{ id: on.thingId, score: -value }])
  await addToEntries(db, [{ id: on.thingId, score: -value }])
}

/** Takes the text of a thing away that was merged here: its number and its address still lead to the other one. */
async function forgetMerged(db: Transaction, id: string): Promise<void> {
  const merged = await findMerged(db, id)
  const store = merged && stores[merged.type as keyof typeof stores]
  if (!merged || !store) return
  const mergeable = mergeableOf(store as never)
  const hiding = hidingOfMerged([mergeable])
  if (await hiding.lock(db, id)) await hiding.remove(db, id, '')
  await mergeable.indexAll(db, [merged.targetId])
}

async function takeCommentBack(db: Transaction, { id, now }: { id: string; now: string }): Promise<void> {
  const found = await findComment(db, id)
  const store = found && stores[found.targetType as keyof typeof stores]
  const comment = store && (await lockComment(db, store, id))
  if (!store || !comment) return
  await deleteLocked(db, { type: comment.targetType, addCounts: store.addCounts }, { comment, now })
  await changeSearch(db, { removed: [id] })
  await deleteFullText(db, id)
}
