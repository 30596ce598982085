// What other slices do to the feed: each of their transactions that changes something visible changes its entry too.
import type { FeedEntryTable, Transaction } from '../../database/schema.ts'
import { insertEntry, updateEntry as updateRow } from './queries.ts'

export { addToEntry, deleteEntry } from './queries.ts'

const PREVIEW_LENGTH = 200

/** The first 200 characters and an ellipsis when there are more; never half of a surrogate pair. */
export function preview(text: string): string {
  if (text.length <= PREVIEW_LENGTH) return text
  const cut = text.slice(0, PREVIEW_LENGTH)
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`
}

type Visible = Pick<FeedEntryTable, 'id' | 'type' | 'title' | 'authorId' | 'url' | 'createdAt'> & { text: string }

/** Shows a thing in the feed. A thing that comes back (an item made public again) brings its counts along. */
export function addEntry(
  db: Transaction,
  { id, type, title, authorId, url, createdAt, text }: Visible,
  { score, commentCount }: { score: number; commentCount: number } = { score: 0, commentCount: 0 },
): Promise<void> {
  return insertEntry(db, { id, type, title, authorId, url, createdAt, preview: preview(text), score, commentCount })
}

/** Changes what the feed says of a thing, if it shows it. */
export function updateEntry(
  db: Transaction,
  id: string,
  { title, text }: { title: string; text: string },
): Promise<void> {
  return updateRow(db, id, { title, preview: preview(text) })
}
