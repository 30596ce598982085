// Grants that their accounts ended, and when the tokens of helpers were last used.
import { sql } from 'kysely'
import { type Bind, prepared } from '../database/prepared.ts'
import type { Db } from '../database/schema.ts'

/** Notes grants that an account ends, all of its own or one of them: their JWTs are refused for as long as they could be good. */
export async function keepEnded(db: Db, of: { userId: string; id?: string }, expiresAt: string): Promise<void> {
  await db
    .insertInto('endedGrant')
    .columns(['grantId', 'expiresAt'])
    .expression(
      db
        .selectFrom('grant')
        .select(['id', sql.val(expiresAt).as('expiresAt')])
        .where('userId', '=', of.userId)
        .$if(of.id !== undefined, (grants) => grants.where('id', '=', of.id ?? '')),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const endedGrant = prepared(
  (db, given: Bind<{ id: string }>) => db.selectFrom('endedGrant').select('grantId').where('grantId', '=', given('id')),
  { cached: true },
)

/** Whether the account ended this grant; known for as long as a JWT of it could be good. */
export const isEnded = async (db: Db, id: string): Promise<boolean> => (await endedGrant(db, { id })).rows.length > 0

/** Ends the access of a site of the widget: the grants of all its people (community/widget). Their tokens go with them. */
export async function endGrantsOfSite(db: Db, { clientId, site }: Record<'clientId' | 'site', string>): Promise<void> {
  const people = db.selectFrom('widgetIdentity').select('userId').where('site', '=', site)
  await db.deleteFrom('grant').where('clientId', '=', clientId).where('userId', 'in', people).execute()
}

const siteOfPerson = prepared(
  (db, given: Bind<{ userId: string }>) =>
    db.selectFrom('widgetIdentity').select('site').where('userId', '=', given('userId')),
  { cached: true },
)

/** The site of the widget that an account is of (community/widget). */
export const findSiteOf = async (db: Db, userId: string): Promise<string | undefined> =>
  (await siteOfPerson(db, { userId })).rows[0]?.site

/** Notes that a token was used; once a minute is enough. */
export async function updateTokenUse(db: Db, { hash, now, before }: Record<'hash' | 'now' | 'before', string>) {
  await db
    .updateTable('oauthToken')
    .set({ lastUsedAt: now })
    .where('hash', '=', hash)
    .where((row) => row.or([row('lastUsedAt', 'is', null), row('lastUsedAt', '<', before)]))
    .execute()
}
