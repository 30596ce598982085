// What has to be looked at because something changed, here or at a tracker with which a board is linked (community/trackers): written in the
// transaction of the change, or of what tells of it.
import { sql } from 'kysely'
import { countChanged } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Db, TrackerWorkTable, Transaction } from '../../database/schema.ts'

const changed = prepared(
  (db, given: Bind<{ id: string; key: string; now: string }>) => {
    const [id, key, now] = [given('id'), given('key'), given('now')].map((value) => sql`cast(${value} as text)`)
    return db
      .insertInto('trackerWork')
      .columns(['trackerId', 'key', 'told', 'times', 'attempts', 'dueAt', 'createdAt'])
      .expression((e) =>
        e
          .selectFrom('tracker')
          .select('tracker.id')
          .select([
            sql<string>`${key}`.as('key'),
            sql.lit('[]').as('told'),
            sql.lit(1).as('times'),
            sql.lit(0).as('attempts'),
          ])
          .select([sql<string>`${now}`.as('dueAt'), sql<string>`${now}`.as('createdAt')])
          .where(sql<boolean>`(exists (select 1 from "trackerPair" p where p."trackerId" = tracker.id and p."thingId" = ${id})
            or exists (select 1 from bug where bug.id = ${id} and coalesce(bug."boardId", '') = coalesce(tracker."boardId", '')))`),
      )
      .onConflict((conflict) =>
        conflict.columns(['trackerId', 'key']).doUpdateSet({
          times: sql<number>`"trackerWork"."times" + 1`,
          dueAt: sql<string>`case when "trackerWork"."dueAt" > excluded."dueAt" then excluded."dueAt" else "trackerWork"."dueAt" end`,
        }),
      )
  },
  { pipelined: true },
)

/** Notes that a thing changed here: links that have it, or its board, look at it. */
export async function noteTracked(
  db: Transaction,
  { type, id }: { type: string; id: string },
  now: string,
): Promise<void> {
  if (type === 'bug') await changed(db, { id, key: `bug:${id}`, now })
}

const workColumns = ['trackerId', 'key', 'told', 'times', 'attempts', 'dueAt', 'createdAt'] as const

/** What is due next. */
export const findWork = (
  db: Db,
  { trackerId, now }: { trackerId: string; now: string },
): Promise<TrackerWorkTable | undefined> =>
  db
    .selectFrom('trackerWork')
    .select(workColumns)
    .where('trackerId', '=', trackerId)
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .orderBy('key')
    .limit(1)
    .executeTakeFirst()

/** Makes all that waits for a link due now. */
export async function hasten(db: Db, { trackerId, now }: { trackerId: string; now: string }): Promise<void> {
  await db
    .updateTable('trackerWork')
    .set({ dueAt: now })
    .where('trackerId', '=', trackerId)
    .where('dueAt', '>', now)
    .execute()
}

type WorkKey = Pick<TrackerWorkTable, 'trackerId' | 'key'> & { now: string; told?: string }

/** Has something looked at. What a delivery said is added to what others said before, as far as there is room. */
export async function askToLook(db: Db, { trackerId, key, now, told }: WorkKey): Promise<void> {
  await db
    .insertInto('trackerWork')
    .values({
      trackerId,
      key,
      told: told === undefined ? '[]' : `[${told}]`,
      times: 1,
      attempts: 0,
      dueAt: now,
      createdAt: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['trackerId', 'key']).doUpdateSet({
        times: sql<number>`"trackerWork"."times" + 1`,
        dueAt: sql<string>`case when "trackerWork"."dueAt" > excluded."dueAt" then excluded."dueAt" else "trackerWork"."dueAt" end`,
        ...(told !== undefined && {
          told: sql<string>`case when "trackerWork"."told" = '[]' then excluded."told"
            when length("trackerWork"."told") > ${MAX_TOLD} then "trackerWork"."told"
            else substr("trackerWork"."told", 1, length("trackerWork"."told") - 1) || ',' || substr(excluded."told", 2) end`,
        }),
      }),
    )
    .execute()
}

/** Characters of what deliveries told of one thing. */
const MAX_TOLD = 20_000

/** Ends a piece of work, unless it was asked for again since it was found. */
export const endWork = (
  db: Db,
  { trackerId, key, times }: Pick<TrackerWorkTable, 'trackerId' | 'key' | 'times'>,
): Promise<number> => countChanged(db.deleteFrom('trackerWork').where((e) => e.and({ trackerId, key, times })))

/** Puts a piece of work off. What a delivery told since it was found stays. */
export async function putOff(
  db: Db,
  { trackerId, key, dueAt, attempts }: Pick<TrackerWorkTable, 'trackerId' | 'key' | 'dueAt' | 'attempts'>,
): Promise<void> {
  await db
    .updateTable('trackerWork')
    .set({ dueAt, attempts })
    .where((e) => e.and({ trackerId, key }))
    .execute()
}

/** Has every bug of a board looked at. */
export async function askToLookAtBoard(
  db: Transaction,
  { id, boardId, now }: { id: string; boardId: string | null; now: string },
): Promise<void> {
  await sql`insert into "trackerWork" ("trackerId", "key", "told", "times", "attempts", "dueAt", "createdAt")
    select cast(${id} as text), 'bug:' || bug.id, '[]', 1, 0, cast(${now} as text), cast(${now} as text) from bug
    where coalesce("boardId", '') = ${boardId ?? ''} and hidden in (0, 64) on conflict do nothing`.execute(db)
}
