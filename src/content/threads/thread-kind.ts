// A kind of thing about which something can be decided, as its subject and its store give it.
import type { Transaction } from '../../database/schema.ts'
import type { Actor, OwnedThing, ThreadCapability } from '../subject.ts'
import type { WorkKind } from './work-queries.ts'

/** A kind of thing about which something can be decided (content/subject-queries.ts). */
export interface ThreadKind {
  type: string
  /** Locks a thing until the transaction ends; throws `not_found`. */
  lock(db: Transaction, id: string): Promise<OwnedThing & { id: string }>
  subject: {
    table: WorkKind['table']
    thread?: readonly ThreadCapability[]
    permissions: Readonly<Record<string, readonly Actor[]>>
    closing?: { from: readonly string[] }
  }
}
