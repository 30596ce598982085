// What happens when everybody sees an item, or a new text of it: members hear of it, or it waits for a moderator
// (content/holding/holding.ts). Handed to the handlers of publishing.
import { noteEdit, noteText } from '../../content/classifier/classifier.ts'
import { assertMayLink, hold, isHeld, useProofOfFirst } from '../../content/holding/holding.ts'
import { recordCreated } from '../../content/notifications/events.ts'
import { recordSeen } from '../../content/notifications/seen-events.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import type { StoredItem } from '../items/queries.ts'
import { item as itemSubject } from '../items/subject.ts'
import { getDetails } from '../items/version-queries.ts'
import { findCurrentScan, findingsOf } from '../scanning/queries.ts'
import { mayBeAsBad } from '../scanning/rules.ts'
import { itemHiding } from './hiding.ts'

/** What people read of an item. */
interface Texts {
  name: string
  description: string
  readme: string | null
}

const textsOf = ({ name, description, readme }: Texts) => [name, description, readme ?? '']

/** What has to be done once everybody sees an item: members hear of it, or it is hidden until it is approved. Decided before the item counts. */
async function tellingOf(
  context: Context<Caller>,
  db: Transaction,
  { id, tell = recordCreated, ...texts }: Texts & { id: string; tell?: typeof recordCreated },
): Promise<() => Promise<void>> {
  const { caller, now } = context
  const { type } = itemSubject
  await useProofOfFirst(context, db)
  const isHeldForLinks = await isHeld(context, db, textsOf(texts))
  return async () => {
    const waits = isHeldForLinks || (await isHeldForFindings(context, db, id))
    if (waits) await hold(db, itemHiding, { type, id, authorId: caller.id, now })
    else {
      await tell(db, { by: caller.id, now, on: { type, id } }, texts.description)
      await noteText(context, db, { type, id })
    }
  }
}

/** Whether what the scan found in the current version of an item waits for a moderator (HOLD_FINDINGS). */
async function isHeldForFindings({ caller, config }: Context<Caller>, db: Transaction, id: string): Promise<boolean> {
  const least = config.holdFindings
  if (least === 'off' || caller.role !== 'member') return false
  const scan = await findCurrentScan(db, id)
  return scan !== undefined && mayBeAsBad(findingsOf(scan), least)
}

/** Hides an item that shows until a moderator approves what the scan found in its new version; gives whether it did. */
async function holdFound(context: Context<Caller>, db: Transaction, { id, ownerId }: StoredItem): Promise<boolean> {
  if (!(await isHeldForFindings(context, db, id))) return false
  await hold(db, itemHiding, { type: itemSubject.type, id, authorId: ownerId, now: context.now })
  return true
}

interface Update {
  item: StoredItem
  changes: {
    name?: string | undefined
    description?: string | undefined
    visibility?: StoredItem['visibility'] | undefined
  }
}

/** The same for an item that is changed, where that lets everybody see it. Throws `forbidden` as `admitTexts`. */
async function tellingOfUpdate(
  context: Context<Caller>,
  db: Transaction,
  { item, changes: { name = item.name, description = item.description, visibility = item.visibility } }: Update,
): Promise<(() => Promise<void>) | undefined> {
  const { id, listed } = item
  if (visibility === 'private') return undefined
  const { readme } = await getDetails(db, item)
  const after = { name, description, readme }
  if (!listed) return tellingOf(context, db, { id, tell: recordSeen, ...after })
  await admitTexts(context, db, { id, before: { ...item, readme }, after })
  return undefined
}

/** Has the classifier see new texts of an item that everybody sees. Throws `forbidden` where a new account adds the first link. */
async function admitTexts(
  context: Context<Caller>,
  db: Transaction,
  { id, before, after }: { id: string; before: Texts; after: Texts },
): Promise<void> {
  const said = { before: textsOf(before), after: textsOf(after) }
  await assertMayLink(context, db, said)
  await noteEdit(context, db, { id, type: itemSubject.type, ...said })
}

export const showing = { tellingOf, tellingOfUpdate, admitTexts, holdFound }
export type ItemAnnouncer = typeof showing
