// Keeps the rank of items, by which lists of the best go along an index. It is found again in the background after a report, a download, or
// a version that is yanked or deleted.
import type { Db } from '../../database/schema.ts'
import { findLockedItem, updateItem } from '../items/queries.ts'
import * as queries from '../outcome-figures/queries.ts'
import { rankOf } from '../outcome-figures/rules.ts'

const AT_ONCE = 100

/** Finds the rank of an item again. */
export async function rankItem(db: Db, id: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // The item comes first, as where a version of it is changed.
    if (!(await findLockedItem(transaction, id))) return
    await queries.takeRank(transaction, id)
    const [item] = await queries.listRanked(transaction, [id])
    if (!item) return
    const rank = rankOf(item.figures, item.downloads)
    if (rank !== item.rank) await updateItem(transaction, id, { rank })
  })
}

/** Reports each item whose rank is another one than that of its figures and downloads, for `npm run admin -- verify`. */
export async function checkRanks(db: Db, report: (sentence: string) => void): Promise<void> {
  for (let after = ''; ; ) {
    const ids = await queries.listIdsRanked(db, after, AT_ONCE)
    for (const { id, rank, figures, downloads } of await queries.listRanked(db, ids)) {
      const expected = rankOf(figures, downloads)
      const isWaiting = rank !== expected && (await queries.listUnranked(db, AT_ONCE)).some(({ key }) => key === id)
      if (rank !== expected && !isWaiting) report(`The rank of item ${id} is ${rank} and should be ${expected}`)
    }
    after = ids.at(-1) ?? ''
    if (ids.length < AT_ONCE) return
  }
}
