// An item that gets another name or slug: what the scan says of its name is found again, and nothing else of the scan changes.
import type { Db, Transaction } from '../../database/schema.ts'
import type { StoredItem } from '../queries.ts'
import { worstAlike } from './look-alikes.ts'
import { findCurrentScan, findingsOf, listKnown, updateFindings } from './queries.ts'
import { type Finding, Findings } from './rules.ts'

type ScannedItem = Pick<StoredItem, 'ownerId' | 'name' | 'slug'>

/** A finding about the item's name, not about a file. */
const isOfName = ({ rule, path }: Finding) => rule === 'look-alike' && path === ''

/**
 * Looks for popular items that new names look like. The result writes that into the scan of the current version of the item, which is
 * locked, and gives whether something was found. A version without a finished scan stays as it is.
 */
export async function lookAgain(
  { db }: { db: Db },
  item: ScannedItem,
  changes: { name?: string | undefined; slug?: string | undefined },
): Promise<(db: Transaction, locked: Pick<StoredItem, 'id'>) => Promise<boolean>> {
  const { name = item.name, slug = item.slug } = changes
  const alike = worstAlike({ name, slug }, await listKnown(db, item.ownerId))
  return async (transaction, { id }) => {
    const scan = await findCurrentScan(transaction, id)
    const before = scan && findingsOf(scan)
    if (!scan || !before) return false
    const found = new Findings()
    for (const finding of [...(alike ? [alike] : []), ...before.filter((one) => !isOfName(one))]) found.add(finding)
    await updateFindings(transaction, { itemId: id, version: scan.version, findings: JSON.stringify(found.list) })
    return alike !== undefined
  }
}
