// What other slices do to the feed: each of their transactions that changes something visible changes its entry too.
import type { ListInput } from '../../contract/fields.ts'
import type { Db, FeedEntryTable, Transaction } from '../../database/schema.ts'
import { countOf, decrement, increment } from '../counters.ts'
import { pageOf } from '../listing-queries.ts'
import {
  countBetween,
  deleteEntry as deleteRow,
  entriesById,
  type FeedScan,
  findAuthor,
  findPlace,
  insertEntry,
  listEntries,
  listHidden,
  type OfAuthor,
  scanEntriesOf,
  updateEntry as updateRow,
} from './queries.ts'

export { addToEntries } from './queries.ts'

const PREVIEW_LENGTH = 200

/** The first 200 characters and an ellipsis when there are more; never half of a surrogate pair. */
export function preview(text: string): string {
  if (text.length <= PREVIEW_LENGTH) return text
  const cut = text.slice(0, PREVIEW_LENGTH)
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`
}

export type Visible = Pick<FeedEntryTable, 'id' | 'type' | 'title' | 'authorId' | 'url' | 'createdAt'> & {
  text: string
  number?: number | null
}

const counted = ({ authorId, type }: Pick<FeedEntryTable, 'authorId' | 'type'>) => ({
  kind: 'feed',
  groups: ['all', `by/${authorId}`],
  facets: [type],
})

/** Shows a thing in the feed. A thing that comes back (an item made public again) brings its counts along. */
export async function addEntry(
  db: Transaction,
  { id, type, title, authorId, url, createdAt, text, number = null }: Visible,
  { score, commentCount }: { score: number; commentCount: number } = { score: 0, commentCount: 0 },
): Promise<void> {
  await insertEntry(db, {
    id,
    type,
    title,
    authorId,
    url,
    createdAt,
    preview: preview(text),
    number,
    score,
    commentCount,
  })
  await increment(db, counted({ authorId, type }))
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
  { title, text }: { title: string; text: string },
): Promise<void> {
  return updateRow(db, id, { title, preview: preview(text) })
}

/** Gives an entry to another author, if the feed shows it. */
export async function reassignEntry(db: Transaction, id: string, authorId: string): Promise<void> {
  const before = await findAuthor(db, id)
  if (!before) return
  await updateRow(db, id, { authorId })
  await decrement(db, counted(before))
  await increment(db, counted({ ...before, authorId }))
}

/** So many entries are looked at one by one; what is farther is walked to. */
const NEAR = 100

/**
 * Some entries after the first `offset` that show. A page far away is walked to along an index, from the end it is nearer to,
 * over entries that show and others alike; then as far again as there were others on the way, until hardly any are left.
 */
export async function pageOfFeed(
  db: Db,
  { sort, type }: Pick<FeedScan, 'sort' | 'type'>,
  { offset, limit }: { offset: number; limit: number },
) {
  if (offset <= NEAR) return listEntries(db, { sort, type, backwards: false }, { offset, limit })
  const hidden = await listHidden(db, type)
  const entries = await countOf(db, { kind: 'feed', group: 'all', facets: [type] })
  const shown = hidden.reduce((left, { count }) => left - count, entries)
  const count = Math.min(limit, shown - offset)
  if (count <= 0) return []
  const fromEnd = shown - offset - count
  let scan: FeedScan = { sort, type, backwards: fromEnd < offset }
  let left = scan.backwards ? fromEnd : offset
  while (left > NEAR) {
    const to = await findPlace(db, scan, left)
    if (!to) return []
    const authorIds = hidden.map(({ id }) => id)
    left = authorIds.length > 0 ? await countBetween(db, scan, { to, authorIds }) : 0
    scan = { ...scan, after: to }
  }
  const found = await listEntries(db, scan, { offset: left, limit: count })
  return scan.backwards ? found.toReversed() : found
}

/** What an author has in the feed, of one type or of all, a page at a time; nothing of a blocked one. */
export function entriesOf(db: Db, of: OfAuthor, input: ListInput) {
  const { sort } = input
  return pageOf(db, input, {
    kind: 'feed',
    filters: { ...of },
    count: () => countOf(db, { kind: 'feed', group: `by/${of.authorId}`, facets: [of.type] }),
    scan: (on, places, pageWindow) => scanEntriesOf(on, places, { sort, ...pageWindow }),
    entries: (on, ids) => entriesById(on, ids, sort),
  })
}
