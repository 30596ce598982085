// Filters of lists by what is decided about things, and by what things are about.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/schema.ts'
import { aboutItem } from '../about/queries.ts'
import type { IdQuery } from '../listing-queries.ts'

type Filters = Readonly<Record<string, string | undefined>>

/** The id of an account by its id or its username; undefined for none. */
export async function findAccountId(db: Db, idOrName: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('user')
    .select('id')
    .where((user) => user.or([user('id', '=', idOrName), user('usernameKey', '=', idOrName.toLowerCase())]))
    .executeTakeFirst()
  return found?.id
}

/** Filters with the account that an id or a name means. Nothing is assigned to one that does not exist. */
export async function resolveAssignee(db: Db, { assignee, ...filters }: Filters): Promise<Filters> {
  return assignee === undefined ? filters : { ...filters, assigneeId: (await findAccountId(db, assignee)) ?? '' }
}

/** The ids of the things that these filters leave; undefined where none of them is given. */
export function narrowedBy({
  pinned,
  assigneeId,
  due,
  aboutItemId,
  aboutNumber,
}: Filters): RawBuilder<string> | undefined {
  const parts = [
    ...(pinned === undefined ? [] : [sql`select id from "threadState" where "pinnedAt" is not null`]),
    ...(assigneeId === undefined ? [] : [sql`select "thingId" from assignment where "userId" = ${assigneeId}`]),
    ...(due === undefined ? [] : [sql`select id from "threadState" where "dueOn" <= ${due}`]),
    ...(aboutItemId === undefined ? [] : [aboutItem({ aboutItemId, aboutNumber })]),
  ]
  return parts.length === 0 ? undefined : sql<string>`(${sql.join(parts, sql` intersect `)})`
}

/** How many rows a scan of all finds. */
export async function countFound(db: Db, found: IdQuery): Promise<number> {
  const counted = await db
    .selectFrom(sql<{ id: string }>`(${found})`.as('found'))
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(counted.count)
}
