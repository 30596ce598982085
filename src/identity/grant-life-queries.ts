// What happened to grants and which of their scopes are used, as it is stored: which ones are open, and which ones their accounts ended.
import { type Selectable, sql } from 'kysely'
import { type Bind, prepared } from '../database/prepared.ts'
import { plain } from '../database/rows.ts'
import type { Db, GrantEventTable, GrantScopeUseTable, Transaction } from '../database/schema.ts'
import { standing } from './account-queries.ts'
import { type Grant, grantColumns, lockGrant } from './grant-queries.ts'

// Grants that their accounts ended, and when the tokens of helpers were last used.

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

// What is asked of grants that are open: who signed in for one, which one lets a client stay, and which one an issuer vouched for.

/** In the place of a session, for a grant that an issuer vouched for: no person showed a credential here. */
export const BY_ASSERTION = 'assertion'

/**
 * When the person last showed a credential for a grant, and how strong that was: at the sign-in of the session in which it was opened, while that is open; or when it was opened,
 * by a mailed code or for a personal token. Undefined for one that an issuer vouched for.
 */
export async function findSignInOf(
  db: Db,
  { grantId, now }: { grantId: string; now: string },
): Promise<{ signedInAt: string | undefined; acr: string | null }> {
  const found = await db
    .selectFrom('grant')
    .leftJoin('session', (join) => join.onRef('session.id', '=', 'grant.sessionId').on('session.expiresAt', '>', now))
    .select(['grant.sessionId', 'grant.createdAt', 'grant.acr', 'session.createdAt as signedInAt'])
    .where('grant.id', '=', grantId)
    .executeTakeFirst()
  const signedInAt = (found?.sessionId === null ? found.createdAt : found?.signedInAt) ?? undefined
  return { signedInAt, acr: found?.acr ?? null }
}

/** The newest grant of an account for a client in which it lets the client stay. */
export async function findStayingGrant(
  db: Db,
  { userId, clientId, now }: { userId: string; clientId: string; now: string },
) {
  const rows = await db
    .selectFrom('grant')
    .select(grantColumns)
    .where('userId', '=', userId)
    .where('clientId', '=', clientId)
    .where('lastUsedAt', 'is not', null)
    .where('expiresAt', '>', now)
    .where(standing('grant'))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(50)
    .execute()
  return rows.find(({ scope }) => scope.split(' ').includes('offline_access'))
}

/**
 * The newest grant of an account for a client that an issuer vouched for, locked; undefined where none stands. All tokens of the client are of it, so
 * that bounds of a day count over all, and one end ends all. The account is locked.
 */
export async function findAssertedGrant(
  db: Transaction,
  { userId, clientId, now }: { userId: string; clientId: string; now: string },
): Promise<Grant | undefined> {
  const newest = await db
    .selectFrom('grant')
    .select('id')
    .where((e) => e.and({ userId, clientId, sessionId: BY_ASSERTION }))
    .where('expiresAt', '>', now)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const grant = newest && (await lockGrant(db, newest))
  return grant && { ...grant, sessionId: BY_ASSERTION }
}

export type GrantEvent = Selectable<GrantEventTable>

/** So many of a grant are kept, the newest. */
export const MAX_EVENTS = 50

const insertion = prepared(
  (db, given: Bind<GrantEvent>) =>
    db.insertInto('grantEvent').values({
      ...{ id: given('id'), grantId: given('grantId'), userId: given('userId'), clientId: given('clientId') },
      ...{ kind: given('kind'), network: given('network'), device: given('device'), createdAt: given('createdAt') },
    }),
  { pipelined: true },
)

const trimming = prepared(
  (db, given: Bind<{ grantId: string }>) =>
    db
      .deleteFrom('grantEvent')
      .where('grantId', '=', given('grantId'))
      .where('id', '<', (rows) =>
        rows
          .selectFrom('grantEvent')
          .select('id')
          .where('grantId', '=', given('grantId'))
          .orderBy('id', 'desc')
          .limit(sql.lit(1))
          .offset(sql.lit(MAX_EVENTS - 1)),
      ),
  { pipelined: true },
)

/** Notes what happened to a grant, and forgets the oldest of it. */
export async function insertEvent(db: Db, event: GrantEvent): Promise<void> {
  await insertion(db, event)
  await trimming(db, { grantId: event.grantId })
}

/** Newest first. */
export const listEvents = (db: Db, grantId: string) =>
  db
    .selectFrom('grantEvent')
    .select(['id', 'kind', 'network', 'device', 'createdAt'])
    .where('grantId', '=', grantId)
    .orderBy('id', 'desc')
    .limit(MAX_EVENTS)
    .execute()

/** Copies of tokens that were stopped, of an account, newest first. */
export const listReuse = (db: Db, userId: string, limit: number) =>
  db
    .selectFrom('grantEvent')
    .leftJoin('agent', 'agent.clientId', 'grantEvent.clientId')
    .select(['grantEvent.id', 'grantEvent.clientId', 'agent.name as clientName'])
    .select(['grantEvent.network', 'grantEvent.device', 'grantEvent.createdAt'])
    .where('grantEvent.userId', '=', userId)
    .where('grantEvent.kind', '=', 'reused')
    .orderBy('grantEvent.id', 'desc')
    .limit(limit)
    .execute()

/** Whether the account of a grant knows the network: it had something of it before. */
export async function isKnownNetwork(db: Db, { grantId, network }: Pick<GrantEvent, 'grantId' | 'network'>) {
  const events = db.selectFrom('grantEvent').select('id').where('grantId', '=', grantId)
  return (await events.where('network', '=', network).limit(1).executeTakeFirst()) !== undefined
}

export const deleteEventsOf = plain.deleteFrom('grantEvent', 'userId')

/** Notes that a scope is in use, unless that was noted after `before`. A grant that has ended has none. */
export async function upsertScopeUse(
  db: Db,
  { grantId, scope, usedAt, before }: GrantScopeUseTable & { before: string },
): Promise<void> {
  await db
    .insertInto('grantScopeUse')
    .columns(['grantId', 'scope', 'usedAt'])
    .expression(
      db
        .selectFrom('grant')
        .select([
          'grant.id',
          sql<string>`cast(${scope} as text)`.as('scope'),
          sql<string>`cast(${usedAt} as text)`.as('at'),
        ])
        .where('grant.id', '=', grantId),
    )
    .onConflict((conflict) =>
      conflict.columns(['grantId', 'scope']).doUpdateSet({ usedAt }).where('grantScopeUse.usedAt', '<', before),
    )
    .execute()
}

export const listScopeUses = (db: Db, grantId: string) =>
  db.selectFrom('grantScopeUse').select(['scope', 'usedAt']).where('grantId', '=', grantId).execute()
