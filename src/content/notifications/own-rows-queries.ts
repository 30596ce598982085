// The rows of one inbox, which are found before anything is read beside them. On a cluster they are on a node (database/distributed.ts), and what
// they tell of is on the coordinator: no condition of a row can ask both.
import type { SelectQueryBuilder } from 'kysely'
import { locksRows } from '../../database/engine.ts'
import type { Database, Db, NotificationTable } from '../../database/schema.ts'

const columns = ['position', 'eventId', 'kind', 'read', 'createdAt', 'mail'] as const

type OwnRows = SelectQueryBuilder<Database, 'notification', Pick<NotificationTable, (typeof columns)[number]>>

/** A statement about `one`: those rows of an inbox that `choose` takes. PostgreSQL reads them first; SQLite makes one query of it all. */
export const withOwn = (db: Db, userId: string, choose: (rows: OwnRows) => OwnRows) =>
  db.with(
    (named) => (locksRows(db) ? named('one').materialized() : named('one')),
    (rows) => choose(rows.selectFrom('notification').select(columns).where('userId', '=', userId)),
  )
