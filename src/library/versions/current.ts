// Which version an item shows. It follows the newest version that is not yanked; what the item says of that version comes from its file,
// which is read before a transaction, never within one.
import type { Transaction } from '../../database/schema.ts'
import type { FileContent } from '../../formats/file-content.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { changeItem } from '../changing/changes.ts'
import { getCurrent } from '../downloads/queries.ts'
import type { readFileOf } from '../files/file.ts'
import { type StoredItem, type StoredVersion, updateItem } from '../items/queries.ts'
import { newestOf } from '../items/rules.ts'
import { insertDetails } from '../items/version-queries.ts'
import { withStatedProof } from '../publishers/letting.ts'
import { lockItemFor } from '../records/record.ts'
import { detailsRow, readStored } from '../records/version-details.ts'

type VersionChangeContext = Context<Caller> & { readFile: typeof readFileOf }

/** The transaction needs to know what a file says: it is rolled back, the file is read, and it runs again. */
class Unread extends Error {
  readonly item: StoredItem
  readonly version: StoredVersion

  constructor(item: StoredItem, version: StoredVersion) {
    super('The file of a version has to be read first')
    this.item = item
    this.version = version
  }
}

/** Runs with the item locked, and lets it show another version where the versions that are left say so. */
export async function changeVersions<T>(
  context: VersionChangeContext,
  id: string,
  change: (db: Transaction, item: StoredItem) => Promise<T>,
): Promise<T> {
  const contents = new Map<string, FileContent>()
  for (;;) {
    try {
      return await context.db.transaction().execute(async (transaction) => {
        const item = await lockItemFor(transaction, context.caller, id)
        const result = await change(transaction, item)
        await show(transaction, item, contents)
        await updateItem(transaction, id, { lifeAt: context.now })
        return result
      })
    } catch (error) {
      if (!(error instanceof Unread)) throw error
      const { item, version } = error
      const content = await readStored(context, { ...version, kind: item.kind, by: context.caller.id })
      contents.set(version.version, content)
    }
  }
}

/** Does nothing for an item that shows the right version already. */
async function show(db: Transaction, item: StoredItem, contents: ReadonlyMap<string, FileContent>): Promise<void> {
  const current = await getCurrent(db, item.id)
  const yanked = current.yankedAt === null ? 0 : 1
  if (current.version === item.version && yanked === item.yanked) return
  const newest = newestOf(item)
  const newestVersion = newest === current.version ? null : newest
  if (current.version === item.version) return changeItem(db, item, { yanked })
  const read = contents.get(current.version)
  if (!read) throw new Unread(item, current)
  const content = await withStatedProof(db, { itemId: item.id, version: current.version }, read)
  await insertDetails(db, detailsRow(item, current, content))
  const { version, sha256, size, license } = current
  await changeItem(db, item, { version, sha256, size, license, meta: content.meta, yanked, newestVersion })
}
