// How clients, sign-ins and tokens are stored. Locks are always taken in one order: account, sign-in, token.
import { type NotNull, type Selectable, sql } from 'kysely'
import { countChanged, locking, sharing } from '../database/engine.ts'
import { type Bind, prepared } from '../database/prepared.ts'
import { plain } from '../database/rows.ts'
import type { Db, GrantTable, OauthClientTable, OauthTokenTable, Transaction } from '../database/schema.ts'
import { sha256 } from '../runtime/hash.ts'
import { callerColumns, standing, userColumns } from './account-queries.ts'
import { plainName } from './client-name.ts'

export type Token = Selectable<OauthTokenTable>

const tokenColumns = [
  ...['hash', 'kind', 'grantId', 'userId', 'clientId', 'scope', 'payload', 'createdAt', 'consumedAt'],
  ...['response', 'responseFor', 'expiresAt', 'keyThumbprint', 'lastUsedAt'],
] as const
/** With what its grant may do at most. */
export type FoundToken = Pick<Token, (typeof tokenColumns)[number]> & Pick<Grant, 'bounds'>

export const grantColumns = [
  ...['id', 'userId', 'clientId', 'clientName', 'scope', 'bounds', 'createdAt', 'lastUsedAt', 'expiresAt', 'acr'],
] as const
export type Grant = Selectable<GrantTable>

/** The first row of a prepared query; undefined when there is none. */
function first<Values, Row>(query: (db: Db, values: Values) => Promise<{ rows: readonly Row[] }>) {
  return async (db: Db, values: Values): Promise<Row | undefined> => (await query(db, values)).rows[0]
}

export const insertToken = prepared(
  (db, given: Bind<Omit<Token, 'lastUsedAt'>>) =>
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
  { pipelined: true },
)

export const findToken = first(
  prepared((db, given: Bind<Pick<Token, 'hash' | 'kind'>>) =>
    db
      .selectFrom('oauthToken')
      .innerJoin('grant', 'grant.id', 'oauthToken.grantId')
      .select([...tokenColumns.map((name) => `oauthToken.${name}` as const), 'grant.bounds'])
      .where('oauthToken.hash', '=', given('hash'))
      .where('oauthToken.kind', '=', given('kind'))
      .where(standing('grant')),
  ),
)

const consumption = prepared((db, given: Bind<{ hash: string; now: string }>) =>
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

export const deleteToken = plain.deleteFrom('oauthToken', 'hash')

export async function deleteTokensOf(db: Db, grantId: string, kind: Token['kind']): Promise<void> {
  await db.deleteFrom('oauthToken').where('grantId', '=', grantId).where('kind', '=', kind).execute()
}

/** Stores the response to a used refresh token. */
export const updateResponse = prepared(
  (db, given: Bind<{ hash: string; response: string; responseFor: string }>) =>
    db
      .updateTable('oauthToken')
      .set({ response: given('response'), responseFor: given('responseFor') })
      .where('hash', '=', given('hash')),
  { pipelined: true },
)

export const insertGrant = plain.insertInto('grant')

const grantById = (db: Db, given: Bind<{ id: string }>) =>
  db.selectFrom('grant').select(grantColumns).where('id', '=', given('id')).where(standing('grant'))

export const findGrant = first(prepared(grantById))

/** What a grant allows at most; cached until it may have changed. */
export const findBounds = first(
  prepared(
    (db, given: Bind<{ id: string }>) =>
      db
        .selectFrom('grant')
        .select(['id', 'scope', 'bounds', 'acr'])
        .where('id', '=', given('id'))
        .where(standing('grant')),
    { cached: true },
  ),
)

const grantLocked = (db: Db, given: Bind<{ id: string }>) => locking(db, grantById(db, given))

/** The grant, locked until the transaction ends. */
export const lockGrant = first(prepared(grantLocked))

const grantUsed = prepared(
  (db, given: Bind<{ id: string; now: string; expiresAt: string; orLater: string }>) =>
    db
      .updateTable('grant')
      .set({
        lastUsedAt: given('now'),
        expiresAt: sql<string>`case when "expiresAt" < ${given('expiresAt')} then ${given('orLater')} else "expiresAt" end`,
      })
      .where('id', '=', given('id')),
  { pipelined: true },
)

/** It got a token: it is in use, and lasts at least until that expires. */
export async function updateGrantUse(db: Db, id: string, use: { now: string; expiresAt: string }): Promise<void> {
  await grantUsed(db, { id, ...use, orLater: use.expiresAt })
}

/**
 * Changes what a grant may do, and its tokens with it. Call it with the grant's row locked, as it is where tokens are issued: then no token
 * has more than its grant.
 */
export async function updateGrant(
  db: Transaction,
  id: string,
  changes: Pick<Grant, 'scope' | 'bounds'>,
): Promise<void> {
  await db.updateTable('grant').set(changes).where('id', '=', id).execute()
  const tokens = await db.selectFrom('oauthToken').select(['hash', 'scope']).where('grantId', '=', id).execute()
  const granted = changes.scope.split(' ')
  for (const { hash, scope } of tokens) {
    const left = scope
      .split(' ')
      .filter((name) => granted.includes(name))
      .join(' ')
    if (left !== scope) await db.updateTable('oauthToken').set({ scope: left }).where('hash', '=', hash).execute()
  }
}

/** Deletes a grant; its codes, tokens and stored responses go with it. */
export const deleteGrant = plain.deleteFrom('grant', 'id')

/**
 * Revokes all grants of an account; returns their number. Call it with the account's row locked: token issuance locks that row too, so
 * no new token can appear afterwards.
 */
export const deleteGrantsOf = plain.deleteCounted('grant', 'userId')

/** All grants of a client, with their tokens. Call it where no new one can appear. */
export const deleteGrantsOfClient = plain.deleteCounted('grant', 'clientId')

/** The active grants of an account, newest first. */
export async function listGrants(db: Db, userId: string, now: string) {
  const rows = await db
    .selectFrom('grant')
    .select(grantColumns)
    .where('userId', '=', userId)
    .where('lastUsedAt', 'is not', null)
    .where('expiresAt', '>', now)
    .where(standing('grant'))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .$narrowType<{ lastUsedAt: NotNull }>()
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

const userToIssueTo = (db: Db, given: Bind<{ id: string }>) =>
  sharing(db, db.selectFrom('user').select(userColumns).where('id', '=', given('id')))

const userShared = first(prepared(userToIssueTo))

/** The account a token is to be issued to. A block or a deletion waits until that is done, and then finds the token and deletes it. */
export async function findUserToIssueTo(db: Db, id: string) {
  const user = await userShared(db, { id })
  return user?.blockedAt || user?.deletionAt ? undefined : user
}

const holdUser = prepared(userToIssueTo, { pipelined: true })
const holdGrant = prepared(grantLocked, { pipelined: true })

/** Locks the account and the grant of a token as `findUserToIssueTo` and `lockGrant` do. */
export async function holdGrantOf(db: Transaction, { userId, grantId }: Pick<Token, 'userId' | 'grantId'>) {
  await holdUser(db, { id: userId })
  await holdGrant(db, { id: grantId })
}

const callerByToken = first(
  prepared(
    (db, given: Bind<{ token: string }>) =>
      db
        .selectFrom('oauthToken')
        .innerJoin('user', 'user.id', 'oauthToken.userId')
        .innerJoin('grant', 'grant.id', 'oauthToken.grantId')
        .select([
          ...callerColumns,
          'oauthToken.scope',
          'oauthToken.keyThumbprint',
          'oauthToken.expiresAt',
          'oauthToken.createdAt as issuedAt',
          'oauthToken.clientId',
          'oauthToken.grantId',
          'oauthToken.payload',
          'grant.bounds',
        ])
        .where('oauthToken.hash', '=', given('token', sha256))
        .where('oauthToken.kind', '=', 'access')
        .where(standing('grant')),
    { cached: true },
  ),
)

/**
 * The account of an opaque access token and the token's scope: one indexed look-up, cached until the next commit. The time is
 * compared in the caller, because as a parameter it would make every look-up a different one.
 */
export async function findTokenCaller(db: Db, token: string, now: string) {
  const found = await callerByToken(db, { token })
  return found && found.expiresAt > now ? found : undefined
}

export const findCaller = first(
  prepared((db, given: Bind<{ id: string }>) =>
    db.selectFrom('user').select(callerColumns).where('id', '=', given('id')),
  ),
)

export async function insertClient(db: Db, client: Selectable<OauthClientTable>): Promise<void> {
  await db
    .insertInto('oauthClient')
    .values(client)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ metadata: client.metadata }))
    .execute()
}

export const findClient = plain.selectFrom('oauthClient', 'id', ['metadata'])

const clientUsed = prepared(
  (db, given: Bind<{ id: string; now: string; first: string; day: string }>) =>
    db
      .updateTable('oauthClient')
      .set({ lastUsedAt: given('now'), firstUsedAt: sql<string>`coalesce("firstUsedAt", ${given('first')})` })
      .where('id', '=', given('id'))
      .where((e) => e.or([e('lastUsedAt', '<', given('day')), e('firstUsedAt', 'is', null)])),
  { pipelined: true },
)

/** Writes only when it was never used, or last before `day`: once a day at most. */
export async function updateClientUse(db: Db, id: string, { now, day }: { now: string; day: string }): Promise<void> {
  await clientUsed(db, { id, now, first: now, day })
}

export const deleteClient = plain.deleteFrom('oauthClient', 'id')

/** Forgets the responses to refresh tokens used before `moment`; that they were used is remembered. */
export async function wipeResponses(db: Db, moment: string, limit: number): Promise<number> {
  const old = db
    .selectFrom('oauthToken')
    .select('hash')
    .where('response', 'is not', null)
    .where('consumedAt', '<', moment)
    .limit(limit)
  return countChanged(db.updateTable('oauthToken').set({ response: null, responseFor: null }).where('hash', 'in', old))
}
