// The data model of what is searched; schema.ts has the rest, and the rules for all of it.
import type { SearchType } from '../contract/kinds.ts'

/** A thing that the search over everything finds (src/search). Its terms are in an index of full text. */
export interface SearchDocumentTable {
  /** A key for the index of full text: a block for each type, counted downwards. */
  rowId: number
  id: string
  type: SearchType
  /** 1 for one document in 64: its terms are in `searchCount`. */
  counted: 0 | 1
  authorId: string | null
  parentType: string | null
  parentId: string | null
  title: string
  names: string
  url: string
  createdAt: string | null
  body: string
  /** As the thing's. */
  viaClientId: string | null
  /** The space of its vector; null where it has none for what it says. */
  meantBy: string | null
  /** PostgreSQL only. */
  terms?: string
}

/** What a thing means, by a machine of the operator. It goes with its document. */
export interface MeaningTable {
  id: string
  type: SearchType
  /** A hash of the machine: vectors of different ones are not compared. */
  space: string
  /** Numbers of 32 bits, of length 1 together, in base64; null where the machine refuses the text. */
  vector: string | null
}

/** Every word that a document ever had, folded, with its term. */
export interface SearchWordTable {
  word: string
  term: string
  length: number
  /** The word backwards; null for what is not corrected. */
  reversed: string | null
}

/** How many of the counted documents have a term; the empty term counts them all. */
export interface SearchCountTable {
  term: string
  count: number
}

/** One row: by which version of the source the documents are built, and how far (search/building.ts). */
export interface SearchBuildTable {
  id: number
  version: number
  /** The source whose things are read, by its number, and the last of its things that was. */
  stage: number
  after: string
  /** null while it is being built. */
  doneAt: string | null
}

/** The search text, one row per target. Indexed by trigrams on both engines. */
export interface SearchTextTable {
  /** The row number, on SQLite only (database/search.ts). */
  rowId?: number
  id: string
  type: string
  text: string
}

export interface SearchDatabase {
  searchText: SearchTextTable
  searchDocument: SearchDocumentTable
  searchWord: SearchWordTable
  searchCount: SearchCountTable
  searchBuild: SearchBuildTable
  meaning: MeaningTable
}
