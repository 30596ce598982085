// What is done with every version that is published, be it the first of an item or a later one. A step looks at the upload before the
// transaction, where it may wait for files and threads; what it returns writes within the transaction, before counters and the search.
import type { UploadedFile } from '../../contract/files.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import type { Kind } from '../item-contract.ts'
import { type ItemRow, insertDetails, type StoredItem } from '../queries.ts'
import { detailsRow } from '../version-details.ts'
import type { FileContent } from './file.ts'

/** A file that was read, before it is a version. */
export interface Upload {
  kind: Kind
  file: UploadedFile
  content: FileContent
  /** The item as it was before; undefined for a new one. */
  item: ItemRow | undefined
}

/** A version whose rows are written: `item` has its id, kind, slug and visibility. */
export interface PublishedVersion {
  item: Pick<StoredItem, 'id' | 'kind' | 'slug' | 'visibility' | 'ownerId'>
  version: string
  sha256: string
  size: number
}

export type Write = (db: Transaction, published: PublishedVersion) => Promise<void>
type Step = (context: Context<Caller>, upload: Upload) => Promise<Write>

/** Keeps what the version says. */
const keepDetails: Step = async (_context, { content }) => {
  return (db, { item, ...version }) => insertDetails(db, detailsRow(item, version, content))
}

const steps: readonly Step[] = [keepDetails]

/** Lets every step look at an upload; the result writes what they have to say. Throws what a step refuses. */
export async function prepareSteps(context: Context<Caller>, upload: Upload): Promise<Write> {
  const writes: Write[] = []
  for (const step of steps) writes.push(await step(context, upload))
  return async (db, published) => {
    for (const write of writes) await write(db, published)
  }
}
