// How accounts and sessions are stored.
import {
  type ExpressionBuilder,
  expressionBuilder,
  type Insertable,
  type Selectable,
  sql,
  type Updateable,
} from 'kysely'
import { Problem } from '../contract/problem.ts'
import { countChanged, isUniqueViolation, locking, sharing } from '../database/engine.ts'
import { type Bind, prepared } from '../database/prepared.ts'
import { plain } from '../database/rows.ts'
import type { Database, Db, SessionTable, Transaction, UserTable } from '../database/schema.ts'
import { indexText, removeText } from '../database/search.ts'
import { sha256 } from '../runtime/hash.ts'
import { changeSearch } from '../search/indexing.ts'
import { personDocument } from '../search/things.ts'
import { deletePushOf, deletePushOfOthers, deletePushOfSession } from './push-queries.ts'

/** What is read of an account. */
export const userColumns = [
  ...['id', 'email', 'emailVerifiedAt', 'emailVerifiedBy', 'name', 'username', 'role', 'passwordHash'],
  ...['blockedAt', 'avatarUpdatedAt', 'deletionAt', 'language', 'credentialsValidFrom', 'createdAt', 'trust'],
] as const
export type User = Pick<Selectable<UserTable>, (typeof userColumns)[number]>

const sessionColumns = ['id', 'createdAt', 'expiresAt', 'seenAt', 'authenticatedAt', 'device'] as const
export type StoredSession = Pick<Selectable<SessionTable>, (typeof sessionColumns)[number]>

/** The new account, or undefined when its address is taken. */
export async function insertUser(db: Transaction, user: Insertable<UserTable>): Promise<User | undefined> {
  const made = await db
    .insertInto('user')
    .values(user)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning(userColumns)
    .executeTakeFirst()
  if (made) await indexUser(db, made)
  return made
}

/** Lets admins find the account by any part of its address, username or name, and everyone by username and name. */
async function indexUser(db: Transaction, user: User): Promise<void> {
  const { id, email, username, name } = user
  await indexText(db, { id, type: 'user' }, [email, username, name])
  const person = personDocument(user)
  if (person) await changeSearch(db, { put: [person] })
}

/** Removes an account with its entries in the search; sessions, passkeys, grants and the profile go with it by the schema. */
export async function deleteUser(db: Transaction, id: string): Promise<void> {
  await removeText(db, id)
  await db.deleteFrom('user').where('id', '=', id).execute()
  await changeSearch(db, { removed: [id] })
}

/** Whether the instance has an account. */
export async function hasAccounts(db: Db): Promise<boolean> {
  return (await db.selectFrom('user').select('id').limit(1).executeTakeFirst()) !== undefined
}

export const findUserByEmail = plain.selectFrom('user', 'email', userColumns)

export function getUser(db: Db, id: string): Promise<User> {
  return db
    .selectFrom('user')
    .select(userColumns)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not_found', 'No such user'))
}

/** The account of a username, case-insensitive. */
export function findUserByUsername(db: Db, username: string): Promise<User | undefined> {
  return db.selectFrom('user').select(userColumns).where('usernameKey', '=', username.toLowerCase()).executeTakeFirst()
}

/** The account, locked until the transaction ends. */
export function lockUser(db: Transaction, by: { id: string } | { email: string }): Promise<User | undefined> {
  return locking(
    db,
    db
      .selectFrom('user')
      .select(userColumns)
      .where((e) => e.and(by)),
  ).executeTakeFirst()
}

/**
 * Locks some accounts and every admin's in one order and reads them after that, so that concurrent decisions about admins run one
 * after another without deadlocks. An admin added since the first read is only missing from the count.
 */
export async function lockUsersAndAdmins(db: Transaction, ids: readonly string[]): Promise<User[]> {
  const admins = await db.selectFrom('user').select('id').where('role', '=', 'admin').execute()
  const all = [...ids, ...admins.map(({ id }) => id)]
  return locking(db, db.selectFrom('user').select(userColumns).where('id', 'in', all).orderBy('id')).execute()
}

export async function updateUser(db: Db, id: string, changes: Updateable<UserTable>): Promise<User> {
  return db.updateTable('user').set(changes).where('id', '=', id).returning(userColumns).executeTakeFirstOrThrow()
}

/** Changes names or the address of an account, and what it is found by. Throws the violation of the unique index where another account has them. */
export async function updateIndexed(db: Transaction, id: string, changes: Updateable<UserTable>): Promise<User> {
  const user = await updateUser(db, id, changes)
  await indexUser(db, user)
  return user
}

/** Sets a username; false when another account has it. */
export async function updateUsername(db: Db, id: string, { username, now }: { username: string; now: string }) {
  const changes = { username, usernameKey: username.toLowerCase(), updatedAt: now }
  try {
    await db.transaction().execute((transaction) => updateIndexed(transaction, id, changes))
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

const blockedById = prepared((db, given: Bind<{ id: string }>) =>
  db.selectFrom('user').select('id').where('id', '=', given('id')).where('blockedAt', 'is not', null),
)

export const isBlocked = async (db: Db, id: string): Promise<boolean> => (await blockedById(db, { id })).rows.length > 0

/** Remembers that there is a picture of the account, and since when. */
export function updateAvatar(db: Db, id: string, picture: { now: string; sha256: string }): Promise<User> {
  const { now, sha256: avatarSha256 } = picture
  return updateUser(db, id, { avatarUpdatedAt: now, avatarSha256, updatedAt: now })
}

/**
 * The address of an account, if it is verified. `receives` asks for an account that gets notifications as well: it is not blocked, and is
 * not being deleted.
 */
export async function findMailbox(
  db: Db,
  id: string,
  receives: 'notices' | 'notifications',
): Promise<string | undefined> {
  const verified = db.selectFrom('user').select('email').where('id', '=', id).where('emailVerifiedAt', 'is not', null)
  const isActive = verified.where('blockedAt', 'is', null).where('deletionAt', 'is', null)
  return (await (receives === 'notices' ? verified : isActive).executeTakeFirst())?.email
}

/** Accounts of verified addresses among `emails` that are not admins yet. A claim and a change of address give no role. */
export function listVerifiedNonAdmins(db: Db, emails: readonly string[]): Promise<User[]> {
  return db
    .selectFrom('user')
    .select(userColumns)
    .where('email', 'in', emails)
    .where('emailVerifiedAt', 'is not', null)
    .where((e) => e.or([e('emailVerifiedBy', 'is', null), e('emailVerifiedBy', '=', 'code')]))
    .where('role', '!=', 'admin')
    .execute()
}

export const insertSession = plain.insertInto('session')

/** What a request needs to know of the account behind it. */
export const callerColumns = [
  'user.id',
  'user.email',
  'user.username',
  'user.role',
  'user.blockedAt',
  'user.deletionAt',
  'user.emailVerifiedAt',
  'user.createdAt',
  'user.credentialsValidFrom',
  'user.externalGroups',
  'user.trust',
] as const

const sessionByToken = prepared(
  (db, given: Bind<{ token: string }>) =>
    db
      .selectFrom('session')
      .innerJoin('user', 'user.id', 'session.userId')
      .select([
        'session.id as sessionId',
        'session.createdAt as sessionCreatedAt',
        'session.expiresAt',
        'session.seenAt',
        'session.passkeyId',
        ...callerColumns,
        'user.name',
        'user.avatarUpdatedAt',
        'user.language',
      ])
      .where('session.tokenHash', '=', given('token', sha256))
      .where(standing('session')),
  { cached: true },
)

/**
 * A live session and its account, by the value of the cookie: one indexed look-up, cached until the next commit. The time is compared
 * in the caller, because as a parameter it would make every look-up a different one.
 */
export async function findSession(db: Db, token: string, now: string) {
  const { rows } = await sessionByToken(db, { token })
  return rows[0] && rows[0].expiresAt > now ? rows[0] : undefined
}

interface OpenSession {
  id: string
  userId: string
  now: string
}

/** Whether a session of the account has not expired or ended. */
const isOpen =
  ({ userId, now }: Omit<OpenSession, 'id'>) =>
  (e: ExpressionBuilder<Database, 'session'>) =>
    e.and([e('session.userId', '=', userId), e('session.expiresAt', '>', now), standing('session')])

/** An open session of the account; its own sign-out, a new password and a block end it. */
export function findOpenSession(db: Db, { id, ...own }: OpenSession): Promise<StoredSession | undefined> {
  return db.selectFrom('session').select(sessionColumns).where('id', '=', id).where(isOpen(own)).executeTakeFirst()
}

/** The same, locked until the transaction ends. */
export async function shareSession(db: Transaction, { id, ...own }: OpenSession): Promise<boolean> {
  const open = db.selectFrom('session').select('id').where('id', '=', id).where(isOpen(own))
  return (await sharing(db, open).executeTakeFirst()) !== undefined
}

/** Newest first. */
export function listSessions(db: Db, own: Omit<OpenSession, 'id'>): Promise<StoredSession[]> {
  const open = db.selectFrom('session').select(sessionColumns).where(isOpen(own))
  return open.orderBy('createdAt', 'desc').orderBy('id', 'desc').execute()
}

export const updateSession = plain.updateTable('session', 'id')

/** Ends a session, and what is pushed to its browser. */
export async function deleteSession(db: Db, tokenHash: string): Promise<void> {
  const ended = await db.deleteFrom('session').where('tokenHash', '=', tokenHash).returning('id').executeTakeFirst()
  if (ended) await deletePushOfSession(db, ended.id)
}

/** Whether the account had this session, and it was still open. */
export async function deleteSessionOf(db: Transaction, { id, ...own }: OpenSession): Promise<boolean> {
  const deletion = db.deleteFrom('session').where('id', '=', id).where(isOpen(own))
  const isEnded = (await countChanged(deletion)) > 0
  if (isEnded) await deletePushOfSession(db, id)
  return isEnded
}

/** Removes all open sessions of the account but this one; returns their number. */
export async function deleteOtherSessions(db: Transaction, { id, ...own }: OpenSession): Promise<number> {
  const deletion = db.deleteFrom('session').where('id', '!=', id).where(isOpen(own))
  await deletePushOfOthers(db, { userId: own.userId, sessionId: id })
  return countChanged(deletion)
}

const deleteAllSessions = plain.deleteCounted('session', 'userId')

/** Ends all sessions of an account, and what is pushed to its browsers. Returns the number of removed sessions. */
export async function deleteSessionsOf(db: Db, userId: string): Promise<number> {
  await deletePushOf(db, userId)
  return deleteAllSessions(db, userId)
}

/**
 * Whether sessions and grants were opened since the account last ended all of them. Every query that reads such a row as a credential has
 * this condition: a row that is left over, for any reason, authorizes no caller.
 */
export function standing(table: 'session' | 'grant' | 'feedKey' | 'chatLink' | 'trackerAccount' | 'pushSubscription') {
  const e = expressionBuilder<Database>()
  const ended = e
    .selectFrom('user as owner')
    .select('owner.id')
    .where('owner.id', '=', sql.ref<string>(`${table}.userId`))
    .where('owner.credentialsValidFrom', '>', sql.ref<string>(`${table}.createdAt`))
  return e.not(e.exists(ended))
}
