// Which things are about which versions of items, as it is stored. Who changes that of a thing has locked the thing.
import { type RawBuilder, sql } from 'kysely'
import { among, countChanged, locksRows } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Db, FeedbackTable, Transaction } from '../../database/schema.ts'

/** A version by its number. */
export interface VersionKey {
  itemId: string
  number: number
}

/** Keeps a version until the transaction ends; gives whether it is there. */
export async function keepVersion(db: Transaction, { itemId, number }: VersionKey): Promise<boolean> {
  const rows = db.selectFrom('itemVersion').select('number').where('itemId', '=', itemId).where('number', '=', number)
  return (await (locksRows(db) ? rows.forKeyShare() : rows).executeTakeFirst()) !== undefined
}

/** Says what a thing is about; false where it is about that already. */
export async function putFeedback(db: Transaction, { thingId, ...about }: FeedbackTable): Promise<boolean> {
  const found = await findFeedback(db, thingId)
  if (found?.itemId === about.itemId && found.number === about.number) return false
  if (found) await db.updateTable('feedback').set(about).where('thingId', '=', thingId).execute()
  else
    await db
      .insertInto('feedback')
      .values({ thingId, ...about })
      .execute()
  return true
}

const findFeedback = (db: Db, thingId: string) =>
  db.selectFrom('feedback').select(['itemId', 'number']).where('thingId', '=', thingId).executeTakeFirst()

/** Forgets what things are about; gives of how many. */
export const deleteFeedback = (db: Transaction, ids: readonly string[]): Promise<number> =>
  countChanged(db.deleteFrom('feedback').where('thingId', ...among(db, JSON.stringify(ids))))

const versionsOf = prepared((db, given: Bind<{ ids: string }>) =>
  db
    .selectFrom('feedback')
    .innerJoin('itemVersion as version', (join) =>
      join.onRef('version.itemId', '=', 'feedback.itemId').onRef('version.number', '=', 'feedback.number'),
    )
    .select(['feedback.thingId', 'feedback.itemId', 'version.version'])
    .where('feedback.thingId', ...among(db, given('ids'))),
)

/** The versions that things are about; nothing of those that are about none. */
export const listFeedback = async (db: Db, ids: readonly string[]) =>
  (await versionsOf(db, { ids: JSON.stringify(ids) })).rows

/** Those of these things that are about an item. */
export async function listAbout(db: Db, itemId: string, ids: readonly string[]): Promise<string[]> {
  const rows = db.selectFrom('feedback').select('thingId').where('itemId', '=', itemId)
  return (await rows.where('thingId', ...among(db, JSON.stringify(ids))).execute()).map(({ thingId }) => thingId)
}

/** What lists are filtered by: an item, none where it is empty, and one of its versions, as texts: queries are kept without their values. */
export interface AboutFilter {
  aboutItemId: string
  aboutNumber: string | undefined
}

/** The ids of what is about an item or a version of it. */
export function aboutItem({ aboutItemId, aboutNumber }: AboutFilter): RawBuilder<string> {
  const ofVersion = aboutNumber === undefined ? sql`` : sql` and "number" = cast(${aboutNumber} as integer)`
  return sql<string>`select "thingId" from "feedback" where "itemId" = ${aboutItemId}${ofVersion}`
}
