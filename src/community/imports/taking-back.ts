// Takes an import back as a whole: its comments and things with all that is on them, its labels that nothing else has, and its accounts that did
// nothing else.
import { findComment } from '../../content/comment-rows/queries.ts'
import { deleteLocked, lockComment } from '../../content/comments/comments.ts'
import { deleteFullText, deleteImported, listOfImport } from '../../content/imported/queries.ts'
import { findLabelUse, removeLabel } from '../../content/labels/labels.ts'
import { removeThing } from '../../content/subjects/handlers.ts'
import type { Db, ImportedTable, Transaction } from '../../database/schema.ts'
import { deleteUser, lockUser } from '../../identity/account-queries.ts'
import type { Clock } from '../../runtime/clock.ts'
import { timestamp } from '../../runtime/clock.ts'
import { changeSearch } from '../../search/indexing.ts'
import { deleteRecords, hasWritten, lockImport, stepTo } from './queries.ts'
import { stores } from './writing.ts'

/** Of one transaction. */
const BATCH = 40
/** What goes after the other: nothing is left on what goes. */
const order = [['comment'], ['bug', 'feature', 'post'], ['label'], ['user']] as const

/** Takes some of an import back; gives whether there is more. */
export const revertImport = ({ db, clock }: { db: Db; clock: Clock }, id: string): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const row = await lockImport(transaction, id)
    if (row?.state !== 'reverting') return false
    const now = timestamp(clock.now())
    if ((await deleteRecords(transaction, id, BATCH * 20)) > 0) return true
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

async function takeBack(db: Transaction, { type, thingId }: ImportedTable, now: string): Promise<void> {
  switch (type) {
    case 'comment':
      return takeCommentBack(db, { id: thingId, now })
    case 'label': {
      const label = await findLabelUse(db, thingId)
      if (label && !label.isUsed) await removeLabel(db, thingId)
      return
    }
    case 'user': {
      const user = await lockUser(db, { id: thingId })
      if (user && user.emailVerifiedAt === null && !(await hasWritten(db, thingId))) await deleteUser(db, thingId)
      return
    }
    default: {
      const store = stores[type as keyof typeof stores]
      const row = await store.findLockedAny(db, thingId)
      if (row) await removeThing(db, store, { row, now })
      await deleteFullText(db, thingId)
    }
  }
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
