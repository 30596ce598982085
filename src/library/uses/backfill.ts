// Takes in what files say that were published before it was stored: what they name, and what the steps of workflows are called. Once, in the
// background, an item a transaction. The files are read outside of it.
import { Problem } from '../../contract/problem.ts'
import type { Db } from '../../database/schema.ts'
import type { Dependencies } from '../../request/handler.ts'
import { changeSearch } from '../../search/indexing.ts'
import { BlobError } from '../../storage/blobs.ts'
import type { readFileOf } from '../files/file.ts'
import { findDocument } from '../items/indexing-queries.ts'
import { findLockedItem, type StoredItem, type VersionFile } from '../items/queries.ts'
import { updateStepNames } from '../items/version-queries.ts'
import { readStored } from '../records/version-details.ts'
import { insertMissing, listNameless, listUnread, updateUses } from './queries.ts'

const AT_ONCE = 5

interface BackfillDependencies extends Pick<Dependencies, 'db' | 'blobs'> {
  /** The formats of files are known to this alone. */
  readFile: typeof readFileOf
}

type UnreadItem = Pick<StoredItem, 'id' | 'kind'> & VersionFile
type Content = Awaited<ReturnType<typeof readFileOf>>

/** Reads some items after one, by their ids. Gives the last of them; undefined where there are no more. The second time changes nothing. */
export async function backfillFromFiles(
  { db, ...reading }: BackfillDependencies,
  after: string,
): Promise<string | undefined> {
  const items = await listUnread(db, after, AT_ONCE)
  for (const item of items) {
    await keepNames(db, item, (await contentOf(reading, item.kind, item))?.names ?? [])
    if (item.kind === 'workflow') await backfillSteps(db, reading, item)
  }
  return items.at(-1)?.id
}

/** What a file says; undefined where it is no file of its kind any more. */
async function contentOf(
  reading: Pick<BackfillDependencies, 'blobs' | 'readFile'>,
  kind: UnreadItem['kind'],
  { sha256, size }: VersionFile,
): Promise<Content | undefined> {
  try {
    return await readStored(reading, { kind, sha256, size, by: 'contents of earlier items' })
  } catch (error) {
    // A file that is broken or gone does not keep the others: `verify` tells of those. What may be there later is tried again.
    const isBroken = error instanceof Problem && error.code !== 'unavailable'
    if (isBroken || (error instanceof BlobError && error.code === 'corrupt')) return undefined
    throw error
  }
}

/** An item that shows another version by now has stored what that one names. */
async function keepNames(db: Db, { id, version }: UnreadItem, names: Content['names']): Promise<void> {
  if (names.length === 0) return
  await db.transaction().execute(async (transaction) => {
    const item = await findLockedItem(transaction, id)
    if (item?.version !== version) return
    await insertMissing(transaction, { itemId: id, version, names })
    await updateUses(transaction, { ...item, version: '' }, item)
  })
}

/** Stores what the steps of all versions of a workflow are called: an earlier one may be shown again. */
async function backfillSteps(
  db: Db,
  reading: Pick<BackfillDependencies, 'blobs' | 'readFile'>,
  { id, kind }: UnreadItem,
): Promise<void> {
  const read = new Map<string, readonly string[]>()
  for (const version of await listNameless(db, id)) {
    const content = await contentOf(reading, kind, version)
    if (content) read.set(version.version, content.stepNames ?? [])
  }
  if (read.size === 0) return
  await db.transaction().execute(async (transaction) => {
    const item = await findLockedItem(transaction, id)
    if (!item) return
    for (const [version, stepNames] of read) await updateStepNames(transaction, { id, version }, stepNames)
    const document = read.has(item.version) ? await findDocument(transaction, id) : undefined
    if (document) await changeSearch(transaction, { put: [document] })
  })
}
