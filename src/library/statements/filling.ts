// Takes what was public before there was a log into it: once, in the background, an item a transaction, in the order in which items were
// made and versions published. How far it got is stored.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../database/schema.ts'
import { findLockedItem } from '../queries.ts'
import { findFilling, listItemIds, updateFilling } from './filling-queries.ts'
import { logVersions } from './logging.ts'

const AT_ONCE = 100

/** Resolves when everything is in. Processes that do it at once do it twice, and the second time changes nothing. */
export async function fillLog(db: Db, now: () => string): Promise<void> {
  for (;;) {
    const { after, doneAt } = await findFilling(db)
    if (doneAt !== null) return
    const ids = await listItemIds(db, after, AT_ONCE)
    for (const id of ids) {
      const started = performance.now()
      await db.transaction().execute(async (transaction) => {
        const item = await findLockedItem(transaction, id)
        if (item?.listed) await logVersions(transaction, item)
      })
      await sleep(Math.min(20, performance.now() - started))
    }
    const last = ids.at(-1)
    await updateFilling(db, last === undefined ? { after, doneAt: now() } : { after: last, doneAt: null })
  }
}
