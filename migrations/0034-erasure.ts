// The deletion of accounts: who asked for it, when the account is erased, and how far that is. What an account wrote, voted for and
// follows is found by indexes. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

const indexes: [table: string, columns: string[]][] = [
  ['vote', ['userId', 'targetId']],
  ['reaction', ['userId', 'commentId']],
  ['revision', ['editorId', 'id']],
  ['statusChange', ['actorId', 'id']],
  ['follow', ['userId', 'targetId']],
  ['orgRun', ['authorId', 'id']],
  ['orgImage', ['uploaderId', 'id']],
  ['outbox', ['recipient']],
]

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  await db.schema.alterTable('user').addColumn('deletionAt', text).execute()
  await db.schema
    .createTable('accountDeletion')
    .addColumn('userId', text, (column) => column.primaryKey().notNull())
    .addColumn('content', text, (column) => column.notNull())
    .addColumn('requestedBy', text, (column) => column.notNull())
    .addColumn('reason', text)
    .addColumn('requestedAt', text, (column) => column.notNull())
    .addColumn('eraseAt', text, (column) => column.notNull())
    .addColumn('step', text)
    .addColumn('leasedUntil', text, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('accountDeletion_due').on('accountDeletion').column('eraseAt').execute()
  for (const [table, columns] of indexes) {
    await db.schema
      .createIndex([table, ...columns].join('_'))
      .on(table)
      .columns(columns)
      .execute()
  }
  // An event that is delivered needs no place, which is the id of an account.
  await sql`update event set place = '' where "doneAt" is not null and place <> ''`.execute(db)
  await sql`create index "event_repliedTo" on event ("repliedTo") where "repliedTo" is not null`.execute(db)
}
