// What the groups of an account give it, where the operator mapped them (SCIM_GROUPS): a role, and boards. What it has besides is remembered
// and stays when that is taken back. What was given is compared with what is given by now, and only a difference is acted on: what moderators
// change by hand holds until then. The last admin stays.
import { allBoards } from '../../content/board-access/boards.ts'
import { givenBy, greaterOf, isGreater } from '../../contract/scim-groups.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import type { User } from '../../identity/account-queries.ts'
import { deleteBoardMember, insertBoardMember, isBoardMember } from '../../identity/board-member-queries.ts'
import { changeRoleByGroups } from '../../identity/roles.ts'
import { isLastAdmin, requireAnotherAdmin } from '../../identity/rules.ts'
import * as queries from '../../identity/scim-queries.ts'
import type { Dependencies } from '../../request/handler.ts'
import { parseJson } from '../../runtime/untyped.ts'

export type ScimContext = Pick<Dependencies, 'config' | 'outbox' | 'db' | 'secretFor'> & {
  now: string
  address: string
}

type Mapping = Pick<Dependencies['config'], 'scimGroups'>

/** Tells what groups of these names give: the greatest role, and the ids of boards. */
async function gifts(db: Db, { scimGroups }: Mapping) {
  const boards = await allBoards(db)
  return (names: readonly string[]) => {
    const { role, boards: slugs } = givenBy(scimGroups, names)
    return { role, boardIds: boards.filter(({ slug }) => slugs.includes(slug)).map(({ id }) => id) }
  }
}

/** What a group of this name gives by now, to be kept with it. */
export async function giftOf(db: Db, config: Mapping, name: string): Promise<string> {
  const { role, boardIds } = (await gifts(db, config))([name])
  return JSON.stringify([role, ...boardIds.toSorted()])
}

interface Giving {
  userIds: readonly string[]
  /** They and all admins. */
  locked: readonly User[]
  /** Those of whom the provider says something: where the last admin is one of them, it is refused. Others are left as they are. */
  isMeant(userId: string): boolean
}

/** Gives accounts what their groups give by now. */
export async function giveByGroups(context: ScimContext, db: Transaction, giving: Giving): Promise<void> {
  const { userIds, isMeant } = giving
  const locked = new Map(giving.locked.map((user) => [user.id, user]))
  const rows = new Map((await queries.listScimUsers(db, userIds)).map((row) => [row.userId, row]))
  const groups = Map.groupBy(await queries.listGroupsOf(db, userIds), ({ userId }) => userId)
  const givenFor = await gifts(db, context.config)
  for (const userId of userIds) {
    const [row, user] = [rows.get(userId), locked.get(userId)]
    if (!row || !user) continue
    const names = row.deletedAt === null ? (groups.get(userId) ?? []) : []
    const { role, boardIds } = givenFor(names.map(({ displayName }) => displayName))
    const gift = { user, row, role, locked, isMeant: isMeant(userId) }
    locked.set(userId, await giveRole(context, db, gift))
    await giveBoards(context, db, { row, wanted: boardIds })
  }
}

interface RoleGift {
  user: User
  row: queries.ScimUser
  role: User['role']
  locked: ReadonlyMap<string, User>
  isMeant: boolean
}

async function giveRole(context: ScimContext, db: Transaction, gift: RoleGift): Promise<User> {
  const { user, row, role, locked, isMeant } = gift
  const wanted = role === 'member' ? null : role
  if (wanted === row.givenRole) return user
  const own = ownRole(context, gift)
  const most = greaterOf(own, role)
  // Who has less by now was demoted by hand: a smaller gift does not raise it.
  const to = isGreater(row.givenRole ?? 'member', role) && isGreater(most, user.role) ? user.role : most
  if (isGreater(user.role, to)) {
    if (isMeant) requireAnotherAdmin(locked.values(), user)
    else if (isLastAdmin(locked.values(), user)) return user
  }
  await queries.updateScimUser(db, row.userId, { givenRole: wanted, ownRole: wanted === null ? null : own })
  if (to === user.role) return user
  const { now, address } = context
  const change = { role: to, actorId: null, now, address, reason: 'groups of the provider' }
  return changeRoleByGroups({ ...context, db }, user, change)
}

/** The role of an account besides what its groups give. */
function ownRole({ config }: ScimContext, { user, row }: Pick<RoleGift, 'user' | 'row'>): User['role'] {
  const { emailVerifiedAt, emailVerifiedBy } = user
  // As at every start (ADMIN_EMAILS).
  const isProven = emailVerifiedAt !== null && (emailVerifiedBy === null || emailVerifiedBy === 'code')
  if (user.role === 'admin' && isProven && config.adminEmails.includes(user.email)) return 'admin'
  return row.givenRole === null ? user.role : (row.ownRole ?? 'member')
}

async function giveBoards(
  { now }: ScimContext,
  db: Transaction,
  { row, wanted }: { row: queries.ScimUser; wanted: readonly string[] },
): Promise<void> {
  const { userId } = row
  const given = parseJson<string[]>(row.givenBoards)
  const own = new Set(parseJson<string[]>(row.ownBoards))
  const [added, gone] = [wanted.filter((id) => !given.includes(id)), given.filter((id) => !wanted.includes(id))]
  if (added.length === 0 && gone.length === 0) return
  for (const boardId of added) {
    if (await isBoardMember(db, { boardId, userId })) own.add(boardId)
    else await insertBoardMember(db, { boardId, userId, createdAt: now })
  }
  for (const boardId of gone) if (!own.delete(boardId)) await deleteBoardMember(db, { boardId, userId })
  const boards = { givenBoards: JSON.stringify(wanted), ownBoards: JSON.stringify([...own]) }
  await queries.updateScimUser(db, userId, boards)
}
