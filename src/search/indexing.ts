// Putting things into the search and taking them out, in the transaction that writes the things themselves. It comes last there: the
// counts of terms are the last rows that a transaction locks (docs/data.md), all of them in one statement.
import type { Transaction } from '../database/schema.ts'
import { documentOf, isCounted, type NewDocument, termsOf } from './document.ts'
import * as queries from './queries.ts'

export { updateParents } from './queries.ts'

/** What changes in the search; only what an anonymous user may see belongs there. */
export interface SearchChanges {
  /** Things that are new or say something else now. */
  put?: readonly NewDocument[]
  /** Ids of things that are gone, or were never there. */
  removed?: readonly string[]
  /** Ids of things whose comments are gone. */
  removedOn?: readonly string[]
  /** Whether words may have other terms than those that are stored: while the index is built again. */
  isBuild?: boolean
}

const stepOf = (put: NewDocument) => ({ id: put.id, document: documentOf(put) })

export async function changeSearch(
  db: Transaction,
  { put = [], removed = [], removedOn = [], isBuild = false }: SearchChanges,
): Promise<void> {
  const counts = new Map<string, number>()
  const count = (terms: readonly string[], delta: number) => {
    for (const term of [queries.ALL, ...terms]) counts.set(term, (counts.get(term) ?? 0) + delta)
  }
  const changed = [...put.map(({ id }) => id), ...removed].filter(isCounted)
  for (const texts of await queries.listTexts(db, { ids: changed, on: removedOn })) count(termsOf(texts).terms, -1)
  if (removed.length > 0 && put.length === 0) await queries.deleteDocuments(db, removed)
  for (const parentId of removedOn) await queries.deleteDocumentsOn(db, parentId)
  const words = new Map<string, string>()
  // Where rows come and go, they do so in the order of their ids, so that two transactions never wait for each other.
  const steps = [...(put.length > 0 ? removed : []).map((id) => ({ id, document: undefined })), ...put.map(stepOf)]
  for (const { id, document } of steps.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    if (!document) {
      await queries.deleteDocuments(db, [id])
      continue
    }
    const terms = termsOf(document)
    await queries.upsertDocument(db, document, terms.terms)
    for (const [word, term] of terms.words) words.set(word, term)
    if (isCounted(document.id)) count(terms.terms, 1)
  }
  if (words.size > 0) await queries.insertWords(db, words)
  if (isBuild && words.size > 0) await queries.updateWords(db, words)
  await queries.addToCounts(db, counts)
}

/** Things that have another author now; what they say stays. */
export const changeAuthor = queries.updateAuthors
