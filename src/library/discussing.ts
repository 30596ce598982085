// Votes and comments on items.

import { concerning } from '../content/about/about.ts'
import { rowsOf } from '../content/rows/row-queries.ts'
import { commentHandlers, voteHandler } from '../content/subjects/discussion-handlers.ts'
import type { Commentable } from '../content/things.ts'
import { itemColumns, type StoredItem } from './items/queries.ts'
import { item } from './items/subject.ts'
import { pathOf } from './records/record.ts'
import { itemsSeen } from './records/seen.ts'

/** Items with votes and comments of their own: everyone sees them, and they are not the gallery's. */
const discussed = rowsOf<StoredItem, 'visibility' | 'gallery'>(item, itemColumns, {
  by: ['visibility', 'gallery'],
  isHidden: (row) => row.visibility === 'private' || row.gallery === 1,
})

/** Every item that is not the gallery's, private ones included: for the erasure of votes and comments. */
export const allItems = rowsOf<StoredItem, 'gallery'>(item, itemColumns, {
  by: ['gallery'],
  isHidden: (row) => row.gallery === 1,
})

/** What comments on items need. */
export const commentable: Commentable = {
  ...discussed,
  concerning: concerning('comment', itemsSeen),
  findUrl: async (db, id) => pathOf(await discussed.getRow(db, id)),
}

export const discussingHandlers = { vote: voteHandler(discussed), ...commentHandlers(commentable, item) }
