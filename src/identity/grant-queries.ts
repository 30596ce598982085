// How clients, sign-ins and tokens are stored. Locks are always taken in one order: account, sign-in, token.
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { locking, sharing } from '../database/engine.ts'
import { type Given, prepared } from '../database/prepared.ts'
import type { Db, GrantTable, OauthClientTable, OauthTokenTable, Transaction } from '../database/schema.ts'
import { plainName } from './client-name.ts'

export type Token = Selectable<OauthTokenTable>
export type Grant = Selectable<GrantTable>

const tokenAdded = prepared((db, given: Given<Token>) =>
  db.insertInto('oauthToken').values({
    hash: given('hash'),
    kind: given('kind'),
    grantId: given('grantId'),
    userId: given('userId'),
    clientId: given('clientId'),
    scope: given('scope'),
    payload: given('payload'),
    createdAt: given('createdAt'),
    consumedAt: given('consumedAt'),
    response: given('response'),
    responseFor: given('responseFor'),
    expiresAt: given('expiresAt'),
    keyThumbprint: given('keyThumbprint'),
  }),
)

export async function insertToken(db: Db, token: Token): Promise<void> {
  await tokenAdded(db, token)
}

const tokenByHash = prepared((db, given: Given<Pick<Token, 'hash' | 'kind'>>) =>
  db.selectFrom('oauthToken').selectAll().where('hash', '=', given('hash')).where('kind', '=', given('kind')),
)

export async function findToken(db: Db, kind: Token['kind'], hash: string): Promise<Token | undefined> {
  const { rows } = await tokenByHash(db, { kind, hash })
  return rows[0]
}

const consumption = prepared((db, given: Given<{ hash: string; now: string }>) =>
  db
    .updateTable('oauthToken')
    .set({ consumedAt: given('now') })
    .where('hash', '=', given('hash'))
    .where('consumedAt', 'is', null),
)

/** Marks a code or refresh token as used; false when it was already. */
export async function consumeToken(db: Db, hash: string, now: string): Promise<boolean> {
  const { numAffectedRows } = await consumption(db, { hash, now })
  return numAffectedRows === 1n
}

/** How long a token is remembered. */
export async function updateTokenExpiry(db: Db, hash: string, expiresAt: string): Promise<void> {
  await db.updateTable('oauthToken').set({ expiresAt }).where('hash', '=', hash).execute()
}

export async function deleteToken(db: Db, hash: string): Promise<void> {
  await db.deleteFrom('oauthToken').where('hash', '=', hash).execute()
}

export async function deleteTokensOf(db: Db, grantId: string, kind: Token['kind']): Promise<void> {
  await db.deleteFrom('oauthToken').where('grantId', '=', grantId).where('kind', '=', kind).execute()
}

const responseStored = prepared((db, given: Given<{ hash: string; response: string; responseFor: string }>) =>
  db
    .updateTable('oauthToken')
    .set({ response: given('response'), responseFor: given('responseFor') })
    .where('hash', '=', given('hash')),
)

/** Stores the response to a used refresh token. */
export async function updateResponse(
  db: Db,
  hash: string,
  stored: { response: string; responseFor: string },
): Promise<void> {
  await responseStored(db, { hash, ...stored })
}

export async function insertGrant(db: Db, grant: Grant): Promise<void> {
  await db.insertInto('grant').values(grant).execute()
}

const grantById = prepared((db, given: Given<{ id: string }>) =>
  db.selectFrom('grant').selectAll().where('id', '=', given('id')),
)

export async function findGrant(db: Db, id: string): Promise<Grant | undefined> {
  const { rows } = await grantById(db, { id })
  return rows[0]
}

const grantLocked = prepared((db, given: Given<{ id: string }>) =>
  locking(db, db.selectFrom('grant').selectAll().where('id', '=', given('id'))),
)

/** The grant, locked until the transaction ends. */
export async function lockGrant(db: Transaction, id: string): Promise<Grant | undefined> {
  const { rows } = await grantLocked(db, { id })
  return rows[0]
}

const grantUsed = prepared((db, given: Given<{ id: string; now: string; expiresAt: string; orLater: string }>) =>
  db
    .updateTable('grant')
    .set({
      lastUsedAt: given('now'),
      expiresAt: sql<string>`case when "expiresAt" < ${given('expiresAt')} then ${given('orLater')} else "expiresAt" end`,
    })
    .where('id', '=', given('id')),
)

/** It got a token: it is in use, and lasts at least until that expires. */
export async function updateGrantUse(db: Db, id: string, use: { now: string; expiresAt: string }): Promise<void> {
  await grantUsed(db, { id, ...use, orLater: use.expiresAt })
}

/** Deletes a grant; its codes, tokens and stored responses go with it. */
export async function deleteGrant(db: Db, id: string): Promise<void> {
  await db.deleteFrom('grant').where('id', '=', id).execute()
}

export async function deleteGrantsOf(db: Db, userId: string): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('grant').where('userId', '=', userId).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** The active grants of an account, newest first. */
export async function listGrants(db: Db, userId: string, now: string): Promise<Grant[]> {
  const rows = await db
    .selectFrom('grant')
    .selectAll()
    .where('userId', '=', userId)
    .where('lastUsedAt', 'is not', null)
    .where('expiresAt', '>', now)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  // Names from before there was a rule for them are shown as it has them now.
  return rows.map((grant) => ({ ...grant, clientName: plainName(grant.clientName) ?? null }))
}

/** The name of the web session in which a grant was created: null once that session has ended; undefined when there never was one. */
export async function findSessionOf(db: Db, grantId: string, now: string): Promise<string | null | undefined> {
  const found = await db
    .selectFrom('grant')
    .leftJoin('session', (join) => join.onRef('session.id', '=', 'grant.sessionId').on('session.expiresAt', '>', now))
    .select(['grant.sessionId', 'session.id'])
    .where('grant.id', '=', grantId)
    .executeTakeFirst()
  return found?.sessionId ? found.id : undefined
}

const userShared = prepared((db, given: Given<{ id: string }>) =>
  sharing(db, db.selectFrom('user').selectAll().where('id', '=', given('id'))),
)

/** The account a token is to be issued to. A block waits until that is done, and then finds the token and deletes it. */
export async function findUserToIssueTo(db: Db, id: string) {
  const { rows } = await userShared(db, { id })
  return rows[0]?.blockedAt ? undefined : rows[0]
}

const callerColumns = [
  'user.id',
  'user.email',
  'user.username',
  'user.role',
  'user.blockedAt',
  'user.emailVerifiedAt',
  'user.createdAt',
] as const

const callerByToken = prepared(
  (db, given: Given<{ hash: string }>) =>
    db
      .selectFrom('oauthToken')
      .innerJoin('user', 'user.id', 'oauthToken.userId')
      .select([...callerColumns, 'oauthToken.scope', 'oauthToken.keyThumbprint', 'oauthToken.expiresAt'])
      .where('oauthToken.hash', '=', given('hash'))
      .where('oauthToken.kind', '=', 'access'),
  { cached: true },
)

/**
 * The account of an opaque access token and the token's scope: one indexed look-up, cached until the next commit. The time is
 * compared in the caller, because as a parameter it would make every look-up a different one.
 */
export async function findTokenCaller(db: Db, hash: string, now: string) {
  const { rows } = await callerByToken(db, { hash })
  return rows[0] && rows[0].expiresAt > now ? rows[0] : undefined
}

const callerById = prepared((db, given: Given<{ id: string }>) =>
  db.selectFrom('user').select(callerColumns).where('id', '=', given('id')),
)

export async function findCaller(db: Db, id: string) {
  const { rows } = await callerById(db, { id })
  return rows[0]
}

export async function insertClient(db: Db, client: Selectable<OauthClientTable>): Promise<void> {
  await db
    .insertInto('oauthClient')
    .values(client)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ metadata: client.metadata }))
    .execute()
}

export function findClient(db: Db, id: string) {
  return db.selectFrom('oauthClient').selectAll().where('id', '=', id).executeTakeFirst()
}

const clientUsed = prepared((db, given: Given<{ id: string; now: string; first: string; day: string }>) =>
  db
    .updateTable('oauthClient')
    .set({ lastUsedAt: given('now'), firstUsedAt: sql<string>`coalesce("firstUsedAt", ${given('first')})` })
    .where('id', '=', given('id'))
    .where((e) => e.or([e('lastUsedAt', '<', given('day')), e('firstUsedAt', 'is', null)])),
)

/** Writes only when it was never used, or last before `day`: once a day at most. */
export async function updateClientUse(db: Db, id: string, { now, day }: { now: string; day: string }): Promise<void> {
  await clientUsed(db, { id, now, first: now, day })
}

export async function deleteClient(db: Db, id: string): Promise<void> {
  await db.deleteFrom('oauthClient').where('id', '=', id).execute()
}

const count = ({ numDeletedRows }: { numDeletedRows: bigint }): number => Number(numDeletedRows)

export async function deleteExpiredTokens(db: Db, now: string, limit: number): Promise<number> {
  const expired = db
    .selectFrom('oauthToken')
    .select('hash')
    .where('expiresAt', '<=', now)
    .orderBy('expiresAt')
    .limit(limit)
  return count(await db.deleteFrom('oauthToken').where('hash', 'in', expired).executeTakeFirstOrThrow())
}

/** Forgets the responses to refresh tokens used before `moment`; that they were used is remembered. */
export async function wipeResponses(db: Db, moment: string, limit: number): Promise<number> {
  const old = db
    .selectFrom('oauthToken')
    .select('hash')
    .where('response', 'is not', null)
    .where('consumedAt', '<', moment)
    .limit(limit)
  const { numUpdatedRows } = await db
    .updateTable('oauthToken')
    .set({ response: null, responseFor: null })
    .where('hash', 'in', old)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

export async function deleteExpiredGrants(db: Db, now: string, limit: number): Promise<number> {
  const expired = db.selectFrom('grant').select('id').where('expiresAt', '<=', now).orderBy('expiresAt').limit(limit)
  return count(await db.deleteFrom('grant').where('id', 'in', expired).executeTakeFirstOrThrow())
}

/** Clients that were made before `moment` and never got a token (behaviour.md, section 5). */
export async function deleteNeverUsedClients(db: Db, moment: string, limit: number): Promise<number> {
  const unused = db
    .selectFrom('oauthClient')
    .select('id')
    .where('firstUsedAt', 'is', null)
    .where('createdAt', '<', moment)
    .orderBy('createdAt')
    .limit(limit)
  return count(await db.deleteFrom('oauthClient').where('id', 'in', unused).executeTakeFirstOrThrow())
}

/** Clients that got no token since `moment`. */
export async function deleteUnusedClients(db: Db, moment: string, limit: number): Promise<number> {
  const unused = db
    .selectFrom('oauthClient')
    .select('id')
    .where('lastUsedAt', '<', moment)
    .orderBy('lastUsedAt')
    .limit(limit)
  return count(await db.deleteFrom('oauthClient').where('id', 'in', unused).executeTakeFirstOrThrow())
}
