// What goes into the log of items, in the transaction of each change, under the lock of the item. An item is in the log from the moment
// when everybody sees it; of private ones the log says nothing.

import type { Db, Transaction } from '../../database/schema.ts'
import { appendLog } from '../../transparency/transparency.ts'
import { findOwnerName } from '../items/indexing-queries.ts'
import { findLockedItem, type StoredItem } from '../items/queries.ts'
import {
  findLeaf,
  insertStatement,
  isInLog,
  listItemIds,
  listStatements,
  listUnlogged,
  updateLogged,
  updatePayload,
} from './queries.ts'
import { digestOf, payloadOf, readPayload, restated } from './statement.ts'

type LoggedItem = Pick<StoredItem, 'id' | 'kind' | 'slug' | 'ownerId' | 'visibility' | 'listed'>

const nameOf = ({ kind, slug }: Pick<LoggedItem, 'kind' | 'slug'>) => `${kind}/${slug}`
const on = (item: LoggedItem) => ({ item: item.id, name: nameOf(item) })

/** Tells of an item as it is now, after it was `before`; undefined where it is new. */
export async function logChange(
  db: Transaction,
  { before, after }: { before?: LoggedItem | undefined; after: LoggedItem },
): Promise<void> {
  if (before?.listed && before.slug !== after.slug) await logRename(db, before, after)
  if (after.listed) {
    if (before && !before.listed && (await isInLog(db, after.id))) {
      await appendLog(db, { type: 'restore', ...on(after) })
    }
    await logVersions(db, after)
  } else if (before?.listed) {
    const by = after.visibility === 'private' ? 'owner' : 'moderation'
    await appendLog(db, { type: 'withdraw', ...on(after), by })
  }
  const [was, is] = [before, after].map((item) => item?.listed === 1 && item.visibility === 'official')
  if (was !== is && after.listed) await appendLog(db, { type: is ? 'official' : 'unofficial', ...on(after) })
}

/** Tells of an item that goes. */
export async function logRemoval(db: Transaction, item: LoggedItem): Promise<void> {
  if (await isInLog(db, item.id)) await appendLog(db, { type: 'delete', ...on(item) })
}

/** Tells that a version of a locked item was yanked, or is again what it was. */
export async function logYank(
  db: Transaction,
  { item, version, yanked }: { item: LoggedItem; version: string; yanked: boolean },
): Promise<void> {
  if (!item.listed) return
  await logVersions(db, item)
  await appendLog(db, { type: yanked ? 'yank' : 'unyank', ...on(item), version })
}

/** Whether everybody could see an item at any time, be it hidden or private now; with a version, whether they could see that one. */
export async function wasPublic(
  db: Transaction,
  { id, listed }: Pick<LoggedItem, 'id' | 'listed'>,
  version?: string,
): Promise<boolean> {
  if (listed === 1) return true
  if (version === undefined) return isInLog(db, id)
  return (await findLeaf(db, { itemId: id, version })) !== undefined
}

/** Logs every version that the log does not have; one without a statement gets it, by the owner of the item. */
export async function logVersions(db: Transaction, item: LoggedItem): Promise<void> {
  const missing = await listUnlogged(db, item.id)
  if (missing.length === 0) return
  const name = nameOf(item)
  const isStated = missing.every(({ payload }) => payload !== null)
  const publisher = isStated ? null : { id: item.ownerId, username: await findOwnerName(db, item.ownerId) }
  for (const { version, sha256, size, createdAt, yankedAt, payload: kept } of missing) {
    let payload = kept
    if (payload === null) {
      payload = payloadOf({ item: item.id, name, version, sha256, size, publisher, time: createdAt })
      const unsigned = { keyId: null, signature: null }
      await insertStatement(db, {
        itemId: item.id,
        version,
        payload,
        publisherId: item.ownerId,
        approverId: null,
        ...unsigned,
      })
    } else if (readPayload(payload).name !== name) {
      payload = await restate(db, payload, { name })
    }
    await appendLog(db, { type: 'publish', ...on(item), version, sha256, size, statement: digestOf(payload) })
    if (yankedAt !== null) await appendLog(db, { type: 'yank', ...on(item), version })
  }
  await updateLogged(db, item.id)
}

/** Every version is stated again under the new name, and logged with it. */
async function logRename(db: Transaction, before: LoggedItem, after: LoggedItem): Promise<void> {
  await appendLog(db, { type: 'rename', ...on(before), to: nameOf(after) })
  for (const { payload } of await listStatements(db, after.id)) {
    await restate(db, payload, { name: nameOf(after) })
  }
}

/** Changes what a statement says, and gives its payload. The signature of the publisher does not stay. */
export async function restate(
  db: Transaction,
  payload: string,
  changes: { name: string } | { publisher?: null; approver?: null },
): Promise<string> {
  const changed = restated(payload, changes)
  const { item: itemId, version, publisher, approver } = readPayload(changed)
  const named = { publisherId: publisher?.id ?? null, approverId: approver?.id ?? null }
  await updatePayload(db, { itemId, version }, { payload: changed, ...named })
  return changed
}

/** Items of a batch of the backfill. */
const AT_ONCE = 20

/**
 * Takes what was public before there was a log into it: once, in the background, an item a transaction. Some items after one, by their ids,
 * in the order in which they were made. Gives the last of them; undefined where there are no more. The second time changes
 * nothing.
 */
export async function backfillLog(db: Db, after: string): Promise<string | undefined> {
  const ids = await listItemIds(db, after, AT_ONCE)
  for (const id of ids) {
    await db.transaction().execute(async (transaction) => {
      const item = await findLockedItem(transaction, id)
      if (item?.listed) await logVersions(transaction, item)
    })
  }
  return ids.at(-1)
}
