// The entries of a thing in the feed and in the search. Changed in the transaction of the
// thing itself.
import type { Transaction } from '../../database/schema.ts'
import { indexText, removeText } from '../../database/search.ts'
import { changeSearch } from '../../search/indexing.ts'
import { addEntry, deleteEntry, type Visible } from '../entries/entries.ts'
import { withWholeTexts } from '../imported/whole-texts.ts'
import { withMerged } from '../merged/queries.ts'

/** Shows a thing in the feed, and lets it be found by its title and text. One that was hidden brings its counts and what was merged into it along. */
export async function publish(
  db: Transaction,
  thing: Visible,
  counts?: { score: number; commentCount: number },
): Promise<void> {
  await addEntry(db, thing, counts)
  const { text, number: _number, ...document } = thing
  const put = await withWholeTexts(db, [{ ...document, body: text }])
  for (const { title, body } of put) await indexText(db, thing, [title, body])
  await changeSearch(db, { put: counts ? await withMerged(db, put) : put })
}

/** Takes back what `publish` showed. Votes and comments stay, and are not found. */
export async function conceal(db: Transaction, id: string): Promise<void> {
  await deleteEntry(db, id)
  await removeText(db, id)
  await changeSearch(db, { removed: [id] })
}

/** Takes back what `publish` showed, and lets its comments and those of what was `merged` into it no longer be found. */
export async function withdraw(db: Transaction, id: string, merged: readonly string[] = []): Promise<void> {
  await deleteEntry(db, id)
  await removeText(db, id)
  await changeSearch(db, { removed: [id], removedOn: [id, ...merged] })
}
