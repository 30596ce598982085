// What an inbox shows of what it has: nothing that is removed or hidden, nothing of who is blocked, and nothing in a closed board that its account
// does not read now. Lists, counts and mails ask this.
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { among, locksRows } from '../../database/engine.ts'
import type { Database, Db, NotificationTable } from '../../database/schema.ts'
import { boarded } from '../board-access/contract.ts'
import { hiddenBy } from '../hiding/rules.ts'

// The rows of one inbox, which are found before anything is read beside them. On a cluster they are on a node (database/distributed.ts), and what
// they tell of is on the coordinator: no condition of a row can ask both.

const columns = ['position', 'eventId', 'kind', 'read', 'createdAt', 'mail'] as const

type OwnRows = SelectQueryBuilder<Database, 'notification', Pick<NotificationTable, (typeof columns)[number]>>

/** A statement about `one`: those rows of an inbox that `choose` takes. PostgreSQL reads them first; SQLite makes one query of it all. */
export const withOwn = (db: Db, userId: string, choose: (rows: OwnRows) => OwnRows) =>
  db.with(
    (named) => (locksRows(db) ? named('one').materialized() : named('one')),
    (rows) => choose(rows.selectFrom('notification').select(columns).where('userId', '=', userId)),
  )

const blocked = (author: string) =>
  sql`exists (select 1 from "user" b where b.id = ${sql.ref(author)} and b."blockedAt" is not null)`

const ofBoards = sql.join(boarded.map((type) => sql.lit(type)))

/** What the thing of an event was merged into: what was told of it goes over to that in the background. */
const target = sql`(select m."targetId" from "mergedThing" m where m.id = event."targetId")`

/** Whether a thing is in one of the closed boards of a JSON array of ids, and shows there. */
function isInClosed(db: Db, boards: string): RawBuilder<boolean> {
  const each = boarded.map(
    (type) => sql`when ${sql.lit(type)} then exists (select 1 from ${sql.table(type)} t
      where t.id in (event."targetId", ${target}) and t.hidden = ${sql.lit(hiddenBy.board)}
        and t."boardId" ${sql.join(among(db, boards), sql` `)} and not ${blocked('t.authorId')})`,
  )
  return sql<boolean>`case event."targetType" ${sql.join(each, sql` `)} else 1 = 0 end`
}

/**
 * Whether a notification `one` of an `event` shows to its account, which reads the closed boards of this JSON array. A removal or a block takes
 * its notifications out of inboxes in the background; until then they are left out. A notice of an act stays.
 */
export const isStillShown = (db: Db, boards: string): RawBuilder<boolean> => sql<boolean>`(one.kind = 'notice'
  or (not ${blocked('event.actorId')}
    and not exists (select 1 from "feedEntry" f where f.id = event."targetId" and ${blocked('f.authorId')})
    and not exists (select 1 from "libraryItem" i where i.id = event."targetId" and ${blocked('i.ownerId')})
    and (event."targetType" not in (${ofBoards})
      or exists (select 1 from "feedEntry" f where f.id = event."targetId")
      or exists (select 1 from "feedEntry" f where f.id = ${target})
      or ${isInClosed(db, boards)})
    and (event."commentId" is null or exists (select 1 from comment c
      where c.id = event."commentId" and c.hidden = 0 and not ${blocked('c.authorId')}))))`
