// What the groups of an account give it, where the operator mapped them (SCIM_GROUPS): a role, and boards. Only what groups gave is taken away
// again, and the last admin stays.
import { allBoards } from '../../content/board-access/boards.ts'
import { givenBy, isGreater } from '../../contract/scim-groups.ts'
import type { Transaction } from '../../database/schema.ts'
import type { User } from '../../identity/account-queries.ts'
import { deleteBoardMember, insertBoardMember, isBoardMember } from '../../identity/board-member-queries.ts'
import { changeRole } from '../../identity/roles.ts'
import { requireAnotherAdmin } from '../../identity/rules.ts'
import * as queries from '../../identity/scim-queries.ts'
import type { Dependencies } from '../../request/handler.ts'
import { parseJson, required } from '../../runtime/untyped.ts'

export type ScimContext = Pick<Dependencies, 'config' | 'outbox' | 'db' | 'secretFor'> & {
  now: string
  address: string
}

/** Gives accounts what their groups give by now. They and all admins are locked. */
export async function giveByGroups(
  context: ScimContext,
  db: Transaction,
  { userIds, locked }: { userIds: readonly string[]; locked: User[] },
): Promise<void> {
  const groups = await queries.listGroupsOf(db, userIds)
  for (const userId of userIds) {
    const row = await queries.findScimUser(db, userId)
    const at = locked.findIndex(({ id }) => id === userId)
    if (!row || at < 0) continue
    const names = row.deletedAt === null ? groups.filter((one) => one.userId === userId) : []
    const gives = givenBy(
      context.config.scimGroups,
      names.map(({ displayName }) => displayName),
    )
    const user = await giveRole(context, db, { user: required(locked[at]), locked, row, role: gives.role })
    locked[at] = user
    await giveBoards(context, db, { row, slugs: gives.boards })
  }
}

interface RoleGift {
  user: User
  locked: readonly User[]
  row: queries.ScimUser
  role: User['role']
}

async function giveRole(context: ScimContext, db: Transaction, { user, locked, row, role }: RoleGift): Promise<User> {
  const wanted = role === 'member' ? null : role
  const { givenRole } = row
  const isOurs = givenRole !== null && givenRole === user.role
  const rises = isGreater(role, user.role)
  if (!rises && !(isOurs && isGreater(user.role, role))) {
    if (!isOurs && givenRole !== null) await queries.updateScimUser(db, row.userId, { givenRole: null })
    return user
  }
  if (user.role === 'admin') requireAnotherAdmin(locked, user)
  await queries.updateScimUser(db, row.userId, { givenRole: wanted })
  const { now, address } = context
  return changeRole({ ...context, db }, user, { role, actorId: null, now, address, reason: 'groups of the provider' })
}

async function giveBoards(
  { now }: ScimContext,
  db: Transaction,
  { row, slugs }: { row: queries.ScimUser; slugs: readonly string[] },
): Promise<void> {
  const given = parseJson<string[]>(row.givenBoards)
  const wanted = (await allBoards(db)).filter(({ slug }) => slugs.includes(slug)).map(({ id }) => id)
  const [added, gone] = [wanted.filter((id) => !given.includes(id)), given.filter((id) => !wanted.includes(id))]
  const { userId } = row
  const ours: string[] = given.filter((id) => wanted.includes(id))
  for (const boardId of added) {
    // Who is invited already stays so when the group is gone.
    if (await isBoardMember(db, { boardId, userId })) continue
    await insertBoardMember(db, { boardId, userId, createdAt: now })
    ours.push(boardId)
  }
  for (const boardId of gone) await deleteBoardMember(db, { boardId, userId })
  if (added.length > 0 || gone.length > 0)
    await queries.updateScimUser(db, userId, { givenBoards: JSON.stringify(ours) })
}
