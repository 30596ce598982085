// What other slices do to the feed: each of their transactions that changes something visible changes its entry too.
import type { FeedEntryTable, Transaction } from '../../database/schema.ts'
import { decrement, increment } from '../counter-queries.ts'
import { preview } from '../preview.ts'
import { groupsWith, type ViaColumn } from '../via.ts'
import { deleteEntry as deleteRow, findAuthor, insertEntry, updateEntry as updateRow } from './queries.ts'

export { addToEntries } from './queries.ts'

export type Visible = Pick<FeedEntryTable, 'id' | 'type' | 'title' | 'authorId' | 'url' | 'createdAt'> & {
  text: string
  number?: number | null
} & Partial<ViaColumn>

const counted = ({ authorId, type, viaClientId }: Pick<FeedEntryTable, 'authorId' | 'type'> & ViaColumn) => ({
  kind: 'feed',
  groups: groupsWith(['all', `by/${authorId}`], { viaClientId }),
  facets: [type],
})

/** Shows a thing in the feed. A thing that comes back (an item made public again) brings its counts along. */
export async function addEntry(
  db: Transaction,
  { text, number = null, viaClientId = null, ...entry }: Visible,
  { score, commentCount }: { score: number; commentCount: number } = { score: 0, commentCount: 0 },
): Promise<void> {
  const { id, type, title, authorId, url, createdAt } = entry
  const said = { id, type, title, authorId, url, createdAt, preview: preview(text) }
  await insertEntry(db, { ...said, number, viaClientId, score, commentCount })
  await increment(db, counted({ authorId, type, viaClientId }))
}

/** Takes a thing out of the feed, if it is there. */
export async function deleteEntry(db: Transaction, id: string): Promise<void> {
  const entry = await deleteRow(db, id)
  if (entry) await decrement(db, counted(entry))
}

/** Changes what the feed says of a thing, if it shows it. */
export function updateEntry(
  db: Transaction,
  id: string,
  { title, text, url }: { title: string; text: string; url?: string },
): Promise<void> {
  return updateRow(db, id, { title, preview: preview(text), ...(url !== undefined && { url }) })
}

/** Gives an entry to another author, if the feed shows it; `viaClientId` where that is no agent's any more. */
export async function reassignEntry(
  db: Transaction,
  id: string,
  written: { authorId: string; viaClientId?: null },
): Promise<void> {
  const before = await findAuthor(db, id)
  if (!before) return
  await updateRow(db, id, written)
  await decrement(db, counted(before))
  await increment(db, counted({ ...before, ...written }))
}
