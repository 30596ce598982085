// How accounts and groups of a provider are stored, and the tokens for it. Locks are taken in one order: the group, accounts,
// then the rows of accounts.
import type { Insertable, Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { Role } from '../contract/operation.ts'
import { among, countChanged, countRows, locking } from '../database/engine.ts'
import { plain } from '../database/rows.ts'
import type { Db, ScimGroupTable, ScimTokenTable, ScimUserTable, Transaction } from '../database/schema.ts'
import { parseJson } from '../runtime/untyped.ts'

const userColumns = [
  ...['userId', 'externalId', 'userName', 'userNameKey', 'attributes', 'blockedAt', 'isBlockedElse', 'givenRole'],
  ...['ownRole', 'givenBoards', 'ownBoards', 'createdAt', 'updatedAt', 'deletedAt'],
] as const
export type ScimUser = Selectable<ScimUserTable>

const groupColumns = ['id', 'externalId', 'displayName', 'displayNameKey', 'gives', 'createdAt', 'updatedAt'] as const
export type ScimGroup = Selectable<ScimGroupTable>

export const insertScimUser = plain.insertInto('scimUser')
export const findScimUser = plain.selectFrom('scimUser', 'userId', userColumns)

export async function updateScimUser(db: Db, userId: string, changes: Updateable<ScimUserTable>): Promise<void> {
  await db.updateTable('scimUser').set(changes).where('userId', '=', userId).execute()
}

/** Of several accounts. */
export const listScimUsers = (db: Db, userIds: readonly string[]): Promise<ScimUser[]> =>
  db
    .selectFrom('scimUser')
    .select(userColumns)
    .where('userId', ...among(db, JSON.stringify(userIds)))
    .execute()

/** Keeps the role that an account has besides what its groups give; false where they give none, or it was that before. */
export async function updateOwnRole(db: Transaction, userId: string, role: Role): Promise<boolean> {
  const rows = db.updateTable('scimUser').set({ ownRole: role }).where('userId', '=', userId)
  const isOther = sql<boolean>`coalesce("ownRole", '') <> ${role}`
  return (await countChanged(rows.where('givenRole', 'is not', null).where(isOther))) > 0
}

/** The same of a board that it is invited to. The account is locked. */
export async function addOwnBoard(db: Transaction, { userId, boardId }: Record<'userId' | 'boardId', string>) {
  const row = await findScimUser(db, userId)
  const own = row ? parseJson<string[]>(row.ownBoards) : []
  if (!row || own.includes(boardId) || !parseJson<string[]>(row.givenBoards).includes(boardId)) return
  await updateScimUser(db, userId, { ownBoards: JSON.stringify([...own, boardId]) })
}

/** What a list is of: all, or those with one value. */
export interface ScimQuery {
  id?: string | undefined
  externalId?: string | undefined
  /** In lower case. */
  nameKey?: string | undefined
}

interface Range {
  offset: number
  limit: number
}

/** Those that are not deleted, oldest first. */
const usersOf = (db: Db, { id, externalId, nameKey }: ScimQuery) =>
  db
    .selectFrom('scimUser')
    .where('deletedAt', 'is', null)
    .$if(id !== undefined, (rows) => rows.where('userId', '=', id ?? ''))
    .$if(externalId !== undefined, (rows) => rows.where('externalId', '=', externalId ?? ''))
    .$if(nameKey !== undefined, (rows) => rows.where('userNameKey', '=', nameKey ?? ''))

export async function pageOfScimUsers(db: Db, wanted: ScimQuery, { offset, limit }: Range) {
  const total = await countRows(usersOf(db, wanted))
  const rows = await usersOf(db, wanted)
    .select(userColumns)
    .orderBy('createdAt')
    .orderBy('userId')
    .limit(limit)
    .offset(offset)
    .execute()
  return { total, rows }
}

const groupsOf = (db: Db, { id, externalId, nameKey }: ScimQuery) =>
  db
    .selectFrom('scimGroup')
    .$if(id !== undefined, (rows) => rows.where('id', '=', id ?? ''))
    .$if(externalId !== undefined, (rows) => rows.where('externalId', '=', externalId ?? ''))
    .$if(nameKey !== undefined, (rows) => rows.where('displayNameKey', '=', nameKey ?? ''))

export async function pageOfScimGroups(db: Db, wanted: ScimQuery, { offset, limit }: Range) {
  const total = await countRows(groupsOf(db, wanted))
  const rows = await groupsOf(db, wanted)
    .select(groupColumns)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { total, rows }
}

export const insertScimGroup = plain.insertInto('scimGroup')
export const findScimGroup = plain.selectFrom('scimGroup', 'id', groupColumns)
/** Locked before its members are read: changes of one group run one after another. */
export const lockScimGroup = (db: Transaction, id: string): Promise<ScimGroup | undefined> =>
  locking(db, db.selectFrom('scimGroup').select(groupColumns).where('id', '=', id)).executeTakeFirst()

export const deleteScimGroup = plain.deleteFrom('scimGroup', 'id')

export async function updateScimGroup(db: Db, id: string, changes: Updateable<ScimGroupTable>): Promise<void> {
  await db.updateTable('scimGroup').set(changes).where('id', '=', id).execute()
}

/** The members of groups, with their names. */
export function listMembers(db: Db, groupIds: readonly string[]) {
  return db
    .selectFrom('scimMember')
    .innerJoin('scimUser', 'scimUser.userId', 'scimMember.userId')
    .select(['scimMember.groupId', 'scimMember.userId', 'scimUser.userName'])
    .where('scimMember.groupId', ...among(db, JSON.stringify(groupIds)))
    .where('scimUser.deletedAt', 'is', null)
    .orderBy('scimMember.userId')
    .execute()
}

/** The groups of accounts, with their names. */
export function listGroupsOf(db: Db, userIds: readonly string[]) {
  return db
    .selectFrom('scimMember')
    .innerJoin('scimGroup', 'scimGroup.id', 'scimMember.groupId')
    .select(['scimMember.userId', 'scimGroup.id', 'scimGroup.displayName'])
    .where('scimMember.userId', ...among(db, JSON.stringify(userIds)))
    .orderBy('scimGroup.id')
    .execute()
}

/** How many members each of these groups has, in their order. */
export const countMembers = (db: Db, groupIds: readonly string[]) => countMemberships(db, 'groupId', groupIds)

/** How many groups each of these accounts is in, in their order. */
export const countGroups = (db: Db, userIds: readonly string[]) => countMemberships(db, 'userId', userIds)

async function countMemberships(db: Db, by: 'groupId' | 'userId', ids: readonly string[]): Promise<number[]> {
  const rows = await db
    .selectFrom('scimMember')
    .select(by)
    .select((e) => e.fn.countAll<number>().as('count'))
    .where(by, ...among(db, JSON.stringify(ids)))
    .groupBy(by)
    .execute()
  const counts = new Map(rows.map((row) => [String(row[by]), Number(row.count)]))
  return ids.map((id) => counts.get(id) ?? 0)
}

/** Which of these accounts the provider has. */
export async function listKnown(db: Db, userIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('scimUser')
    .select('userId')
    .where('userId', ...among(db, JSON.stringify(userIds)))
    .where('deletedAt', 'is', null)
    .execute()
  return rows.map(({ userId }) => userId)
}

export async function insertMembers(db: Transaction, groupId: string, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return
  const rows = userIds.map((userId) => ({ groupId, userId }))
  await db
    .insertInto('scimMember')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteMembers(db: Transaction, groupId: string, userIds: readonly string[]): Promise<void> {
  const rows = db.deleteFrom('scimMember').where('groupId', '=', groupId)
  await rows.where('userId', ...among(db, JSON.stringify(userIds))).execute()
}

export async function deleteMemberships(db: Transaction, userId: string): Promise<void> {
  await db.deleteFrom('scimMember').where('userId', '=', userId).execute()
}

/** The block that the provider has on an account; undefined where it has none. */
export const findProvidersBlock = (db: Db, userId: string) =>
  db
    .selectFrom('scimUser')
    .select(['userId', 'isBlockedElse'])
    .where('userId', '=', userId)
    .where('blockedAt', 'is not', null)
    .executeTakeFirst()

const tokenColumns = ['id', 'name', 'createdAt', 'lastUsedAt'] as const

export const insertScimToken = (db: Db, token: Insertable<ScimTokenTable>) =>
  db.insertInto('scimToken').values(token).execute()

/** Newest first. */
export const listScimTokens = (db: Db) =>
  db.selectFrom('scimToken').select(tokenColumns).orderBy('id', 'desc').limit(100).execute()

export const findScimToken = plain.selectFrom('scimToken', 'hash', [...tokenColumns])

export const deleteScimToken = async (db: Db, id: string): Promise<boolean> =>
  (await countChanged(db.deleteFrom('scimToken').where('id', '=', id))) > 0

/** Notes a use, where the last one was before `before`. */
export async function updateScimTokenUse(db: Db, { id, now, before }: Record<'id' | 'now' | 'before', string>) {
  const rows = db.updateTable('scimToken').set({ lastUsedAt: now }).where('id', '=', id)
  await rows.where(sql<boolean>`coalesce("lastUsedAt", '') < ${before}`).execute()
}
