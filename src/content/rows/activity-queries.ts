// When something happened last to a thing: a column of its row, which the rows of its labels repeat (database/schema-community.ts).
import type { FeedKind } from '../../contract/kinds.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Database, Transaction } from '../../database/schema.ts'
import { hasActivity, type Subject } from '../subject.ts'

type Touch = (db: Transaction, id: string, at: string) => Promise<void>
type Touched = { id: string; at: string }
/** The tables that have the column, by the column of the thing. */
type ActiveTable = Extract<keyof Database, 'bug' | 'feature' | 'post' | `${FeedKind}Label`>

const touchOf = (table: ActiveTable, id: string) =>
  prepared(
    (db, given: Bind<Touched>) =>
      db
        .updateTable(table as 'bug')
        .set({ touchedAt: given('at') })
        .where(id as 'id', '=', given('id'))
        .where('activeAt', '<', given('at')),
    { pipelined: true },
  )

/** Says that something happened to a thing that is locked; an older moment changes nothing. Nothing of what has no such order. */
export function touchingOf({
  table,
  thread,
  parent,
  labels,
}: Pick<Subject, 'table' | 'thread' | 'parent' | 'labels'>): Touch {
  if (!hasActivity({ thread })) return async () => {}
  const thing = touchOf(table as ActiveTable, 'id')
  const labelled = labels && touchOf(labels.table as ActiveTable, parent ?? 'id')
  return async (db, id, at) => {
    await thing(db, { id, at })
    await labelled?.(db, { id, at })
  }
}
