// Takes in what orgs and packages name that were published before names were stored: once, in the background, an item a transaction. Their
// files are read outside of it, and how far it got is stored. Workflows were taken in by a migration.

import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../../contract/problem.ts'
import type { Dependencies } from '../../request/handler.ts'
import { BlobError } from '../../storage/blobs.ts'
import { withArtifactFile } from '../../storage/local-artifact.ts'
import type { readFileOf } from '../publishing/file.ts'
import { findLockedItem, type StoredItem } from '../queries.ts'
import { findFilling, insertMissing, listUnread, updateFilling } from './filling-queries.ts'
import * as queries from './queries.ts'

const AT_ONCE = 100

interface Filling extends Pick<Dependencies, 'db' | 'blobs'> {
  /** The formats of files are known to this alone. */
  readFile: typeof readFileOf
  now: () => string
}

type Unread = Pick<StoredItem, 'id' | 'kind' | 'version' | 'sha256' | 'size'>

/** Resolves when everything is in. Processes that do it at once do it twice, and the second time changes nothing. */
export async function fillUses({ db, now, ...reading }: Filling): Promise<void> {
  for (;;) {
    const { after, doneAt } = await findFilling(db)
    if (doneAt !== null) return
    const items = await listUnread(db, after, AT_ONCE)
    for (const item of items) {
      const started = performance.now()
      const names = await namesIn(reading, item)
      if (names.length > 0) await keep(db, item, names)
      await sleep(Math.min(50, performance.now() - started))
    }
    const last = items.at(-1)
    await updateFilling(db, last ? { after: last.id, doneAt: null } : { after, doneAt: now() })
  }
}

/** What the file of an item names; nothing where it is no file of its kind any more. */
async function namesIn({ blobs, readFile }: Pick<Filling, 'blobs' | 'readFile'>, { kind, sha256, size }: Unread) {
  try {
    const { names } = await withArtifactFile(blobs, { sha256, size }, (path) =>
      readFile(kind, { path, size, sha256, filename: '', mimeType: '' }, 'names of earlier items'),
    )
    return names
  } catch (error) {
    // A file that is broken or gone does not keep the others: `verify` tells of those. What may be there later is tried again.
    const isBroken = error instanceof Problem && error.code !== 'unavailable'
    if (isBroken || (error instanceof BlobError && error.code === 'corrupt')) return []
    throw error
  }
}

/** An item that shows another version by now has stored what that one names. */
function keep(db: Filling['db'], { id, version }: Unread, names: Awaited<ReturnType<typeof namesIn>>): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    const item = await findLockedItem(transaction, id)
    if (item?.version !== version) return
    await insertMissing(transaction, { itemId: id, version, names })
    await queries.updateUses(transaction, { ...item, version: '' }, item)
  })
}
