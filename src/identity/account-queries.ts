// How accounts, sessions and mailed codes are stored.
import type { Insertable, Selectable, Updateable } from 'kysely'
import { Problem } from '../contract/problem.ts'
import { isUniqueViolation } from '../database/constraint.ts'
import { locking, sharing } from '../database/engine.ts'
import { type Given, prepared } from '../database/prepared.ts'
import type { Db, EmailCodeTable, SessionTable, Transaction, UserTable } from '../database/schema.ts'
import { indexText } from '../database/search.ts'

export type User = Selectable<UserTable>
export type StoredSession = Selectable<SessionTable>
export type EmailCode = Selectable<EmailCodeTable>

/** The new account, or undefined when its address is taken. */
export async function insertUser(db: Transaction, user: Insertable<UserTable>): Promise<User | undefined> {
  const made = await db
    .insertInto('user')
    .values(user)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (made) await indexUser(db, made)
  return made
}

/** Lets admins find the account by any part of its address, username or name. */
function indexUser(db: Transaction, { id, email, username, name }: User): Promise<void> {
  return indexText(db, { id, type: 'user' }, [email, username, name])
}

export function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  return db.selectFrom('user').selectAll().where('email', '=', email).executeTakeFirst()
}

export function getUser(db: Db, id: string): Promise<User> {
  return db
    .selectFrom('user')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not_found', 'No such user'))
}

/** The account of a username, case-insensitive. */
export function findUserByUsername(db: Db, username: string): Promise<User | undefined> {
  return db.selectFrom('user').selectAll().where('usernameKey', '=', username.toLowerCase()).executeTakeFirst()
}

/** The account, locked until the transaction ends. */
export function lockUserByEmail(db: Transaction, email: string): Promise<User | undefined> {
  return locking(db, db.selectFrom('user').selectAll().where('email', '=', email)).executeTakeFirst()
}

export function lockUser(db: Transaction, id: string): Promise<User | undefined> {
  return locking(db, db.selectFrom('user').selectAll().where('id', '=', id)).executeTakeFirst()
}

/**
 * Locks some accounts and every admin's in one order and reads them after that, so that concurrent decisions about admins run one
 * after another without deadlocks. An admin added since the first read is only missing from the count.
 */
export async function lockUsersAndAdmins(db: Transaction, ids: readonly string[]): Promise<User[]> {
  const admins = await db.selectFrom('user').select('id').where('role', '=', 'admin').execute()
  const all = [...ids, ...admins.map(({ id }) => id)]
  return locking(db, db.selectFrom('user').selectAll().where('id', 'in', all).orderBy('id')).execute()
}

export async function updateUser(db: Db, id: string, changes: Updateable<UserTable>): Promise<User> {
  return db.updateTable('user').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** Changes the display name of an account. */
export async function updateNames(
  db: Transaction,
  id: string,
  changes: Pick<Updateable<UserTable>, 'name' | 'username' | 'usernameKey'> & { updatedAt: string },
): Promise<User> {
  const user = await updateUser(db, id, changes)
  await indexUser(db, user)
  return user
}

/** Sets a username; false when another account has it. */
export async function updateUsername(
  db: Db,
  id: string,
  { username, now }: { username: string; now: string },
): Promise<boolean> {
  const changes = { username, usernameKey: username.toLowerCase(), updatedAt: now }
  try {
    await db.transaction().execute((transaction) => updateNames(transaction, id, changes))
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

/** Remembers that there is a picture of the account, and since when. */
export async function updateAvatar(
  db: Db,
  id: string,
  { now, sha256 }: { now: string; sha256: string },
): Promise<void> {
  await db
    .updateTable('user')
    .set({ avatarUpdatedAt: now, avatarSha256: sha256, updatedAt: now })
    .where('id', '=', id)
    .execute()
}

/** Accounts of verified addresses among `emails` that are not admins yet. A claim gives no role, so it does not count. */
export function listVerifiedNonAdmins(db: Db, emails: readonly string[]): Promise<User[]> {
  return db
    .selectFrom('user')
    .selectAll()
    .where('email', 'in', emails)
    .where('emailVerifiedAt', 'is not', null)
    .where((e) => e.or([e('emailVerifiedBy', 'is', null), e('emailVerifiedBy', '!=', 'claim')]))
    .where('role', '!=', 'admin')
    .execute()
}

export async function insertSession(db: Db, session: StoredSession): Promise<void> {
  await db.insertInto('session').values(session).execute()
}

const sessionByToken = prepared(
  (db, given: Given<{ tokenHash: string }>) =>
    db
      .selectFrom('session')
      .innerJoin('user', 'user.id', 'session.userId')
      .select([
        'session.id as sessionId',
        'session.createdAt as sessionCreatedAt',
        'session.expiresAt',
        'session.seenAt',
        'user.id',
        'user.email',
        'user.emailVerifiedAt',
        'user.name',
        'user.username',
        'user.avatarUpdatedAt',
        'user.role',
        'user.blockedAt',
        'user.createdAt',
      ])
      .where('session.tokenHash', '=', given('tokenHash')),
  { cached: true },
)

/**
 * A live session and its account, by the hash of the cookie's value: one indexed look-up, cached until the next commit. The time is
 * compared in the caller, because as a parameter it would make every look-up a different one.
 */
export async function findSession(db: Db, tokenHash: string, now: string) {
  const { rows } = await sessionByToken(db, { tokenHash })
  return rows[0] && rows[0].expiresAt > now ? rows[0] : undefined
}

interface OpenSession {
  id: string
  userId: string
  now: string
}

/** An open session of the account; its own sign-out, a new password and a block end it. */
export function findOpenSession(db: Db, { id, userId, now }: OpenSession): Promise<StoredSession | undefined> {
  return db
    .selectFrom('session')
    .selectAll()
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
}

/** The same, locked until the transaction ends. */
export async function shareSession(db: Transaction, { id, userId, now }: OpenSession): Promise<boolean> {
  const open = db
    .selectFrom('session')
    .select('id')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
  return (await sharing(db, open).executeTakeFirst()) !== undefined
}

/** Newest first. */
export function listSessions(db: Db, userId: string, now: string): Promise<Omit<StoredSession, 'tokenHash'>[]> {
  return db
    .selectFrom('session')
    .select(['id', 'userId', 'createdAt', 'expiresAt', 'seenAt', 'authenticatedAt', 'device'])
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function updateSession(
  db: Db,
  id: string,
  changes: Pick<Updateable<SessionTable>, 'expiresAt' | 'seenAt' | 'authenticatedAt'>,
): Promise<void> {
  await db.updateTable('session').set(changes).where('id', '=', id).execute()
}

export async function deleteSession(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('session').where('tokenHash', '=', tokenHash).execute()
}

/** Whether the account had this session, and it was still open. */
export async function deleteSessionOf(db: Transaction, { id, userId, now }: OpenSession): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('session')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Removes all open sessions of the account but this one; returns their number. */
export async function deleteOtherSessions(db: Transaction, { id, userId, now }: OpenSession): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('session')
    .where('userId', '=', userId)
    .where('id', '!=', id)
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Returns the number of removed sessions. */
export async function deleteSessionsOf(db: Db, userId: string): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('session').where('userId', '=', userId).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export async function insertCode(db: Db, code: EmailCode): Promise<void> {
  await db.insertInto('emailCode').values(code).execute()
}

/** The newest code of an address and purpose that expires by `latest`, locked, in any state. */
export function lockNewestCode(
  db: Transaction,
  { purpose, email, latest }: Pick<EmailCode, 'purpose' | 'email'> & { latest: string },
): Promise<EmailCode | undefined> {
  const newest = db
    .selectFrom('emailCode')
    .selectAll()
    .where('email', '=', email)
    .where('purpose', '=', purpose)
    .where('expiresAt', '<=', latest)
    .orderBy('id', 'desc')
    .limit(1)
  return locking(db, newest).executeTakeFirst()
}

export async function updateCode(db: Db, id: string, changes: Updateable<EmailCodeTable>): Promise<void> {
  await db.updateTable('emailCode').set(changes).where('id', '=', id).execute()
}

export async function deleteCodesOf(db: Transaction, email: string): Promise<void> {
  await db.deleteFrom('emailCode').where('email', '=', email).execute()
}

/** Removes sessions and codes that expired before `moment`. */
export async function deleteExpired(db: Db, moment: string): Promise<void> {
  await db.deleteFrom('session').where('expiresAt', '<=', moment).execute()
  await db.deleteFrom('emailCode').where('expiresAt', '<=', moment).execute()
}
