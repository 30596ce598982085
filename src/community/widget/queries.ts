// Keys of sites, and the accounts of their people, as they are stored.
import { sql } from 'kysely'
import { sharing } from '../../database/engine.ts'
import { plain } from '../../database/rows.ts'
import type { Db, Transaction } from '../../database/schema.ts'

const keyColumns = ['id', 'site', 'createdAt', 'lastUsedAt'] as const

export const insertKey = plain.insertInto('widgetKey')

/** Newest first, without their secrets. */
export const listKeys = (db: Db) =>
  db.selectFrom('widgetKey').select(keyColumns).orderBy('id', 'desc').limit(100).execute()

/** Those of a site, with their sealed secrets. */
export const listSecretsOf = (db: Db, site: string) =>
  db
    .selectFrom('widgetKey')
    .select(['id', 'secret', 'lastUsedAt'])
    .where('site', '=', site)
    .orderBy('id', 'desc')
    .limit(100)
    .execute()

/** Whether a key is there, which then stays until the transaction ends. */
export const holdKey = async (db: Transaction, id: string): Promise<boolean> =>
  (await sharing(db, db.selectFrom('widgetKey').select('id').where('id', '=', id)).execute()).length > 0

/** Gives the site of the key; undefined where there is none. */
export const deleteKey = async (db: Db, id: string): Promise<string | undefined> =>
  (await db.deleteFrom('widgetKey').where('id', '=', id).returning('site').executeTakeFirst())?.site

/** Notes a use, where the last one was before `before`. */
export async function updateKeyUse(db: Db, { id, now, before }: Record<'id' | 'now' | 'before', string>) {
  const rows = db.updateTable('widgetKey').set({ lastUsedAt: now }).where('id', '=', id)
  await rows.where(sql<boolean>`coalesce("lastUsedAt", '') < ${before}`).execute()
}

export const insertIdentity = plain.insertInto('widgetIdentity')

export const findIdentity = (db: Db, { site, subject }: Record<'site' | 'subject', string>) =>
  db
    .selectFrom('widgetIdentity')
    .select(['userId'])
    .where('site', '=', site)
    .where('subject', '=', subject)
    .executeTakeFirst()
