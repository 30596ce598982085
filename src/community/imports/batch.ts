// What the records of one batch are written with.
import type { Transaction } from '../../database/schema.ts'
import type { ImportDone } from './contract.ts'
import type { ImportOptions, StoredImport } from './queries.ts'

export interface WriteBatch {
  db: Transaction
  row: StoredImport
  scope: string
  options: ImportOptions
  done: ImportDone
  now: string
  /** Ids of accounts by those of people, and of labels by their names: of this batch. */
  people: Map<string, string>
  labels: Map<string, string>
}
