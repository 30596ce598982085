// What a step of a publication is: something that is done with every version, be it the first of an item or a later one. It looks at
// the upload before the transaction, where it may wait for files and threads; what it returns writes within the transaction, before
// counters and the search. steps.ts lists all of them.
import type { UploadedFile } from '../../contract/files.ts'
import type { Transaction } from '../../database/schema.ts'
import type { FileContent } from '../../formats/file-content.ts'
import type { Caller, Context } from '../../request/handler.ts'
import type { Kind } from '../items/item-contract.ts'
import type { ItemRow, StoredItem } from '../items/queries.ts'
import type { SignedDraft } from '../statements/drafts.ts'

/** A file that was read, before it is a version. */
export interface Upload {
  kind: Kind
  file: UploadedFile
  content: FileContent
  /** What is new, as its publisher says; null where the package is to tell. */
  changelog: string | null
  /** The item as it was before; undefined for a new one. */
  item: ItemRow | undefined
  /** What the item is called, or will be. */
  name: string
  /** The statement of the publication, if its publisher signed it. */
  signed?: SignedDraft | undefined
  /** Nothing is published if the scan finds something at least this serious. */
  stopFor?: 'suspicious' | 'severe' | undefined
}

/** A version whose rows are written: `item` has its id, kind, slug and visibility. */
export interface PublishedVersion {
  item: Pick<StoredItem, 'id' | 'kind' | 'slug' | 'visibility' | 'ownerId' | 'teamId'>
  version: string
  sha256: string
  size: number
}

export type Write = (db: Transaction, published: PublishedVersion) => Promise<void>
export type Step = (context: Context<Caller>, upload: Upload) => Promise<Write>

/** Lets every step look at an upload; the result writes what they have to say. Throws what a step refuses. */
export type PrepareSteps = (context: Context<Caller>, upload: Upload) => Promise<Write>
