// Takes what was public before there was a log into it: once, in the background, an item a transaction, in the order in which items were
// made and versions published.
import type { Db } from '../../database/schema.ts'
import { findLockedItem } from '../queries.ts'
import { listItemIds } from './filling-queries.ts'
import { logVersions } from './logging.ts'

const AT_ONCE = 20

/** Takes in some items after one, by their ids. Gives the last of them; undefined where there are no more. The second time changes nothing. */
export async function fillLog(db: Db, after: string): Promise<string | undefined> {
  const ids = await listItemIds(db, after, AT_ONCE)
  for (const id of ids) {
    await db.transaction().execute(async (transaction) => {
      const item = await findLockedItem(transaction, id)
      if (item?.listed) await logVersions(transaction, item)
    })
  }
  return ids.at(-1)
}
