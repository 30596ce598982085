// What ends with a membership. The role goes at once; what the account published for the team goes on to others in the background, one
// item a transaction, which locks the item before it looks at the team.
import { keepSlugs } from '../../content/slug-queries.ts'
import { DELETED_USER } from '../../contract/no-account.ts'
import type { Db, TeamMemberTable, Transaction } from '../../database/schema.ts'
import type { Dependencies } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { passToNext, reassignItem } from '../holders/holding.ts'
import { listNamingTeam } from '../holders/owner-queries.ts'
import {
  deleteHandover,
  deleteMember,
  deleteTeam,
  findMember,
  findSuccessor,
  insertHandover,
  listHandovers,
  listItemIds,
  listMembershipsOf,
  lockMember,
  lockTeam,
  updateMember,
} from '../holders/team-queries.ts'
import { findLockedItem } from '../items/queries.ts'
import { endInvitations, endInvitationsBy } from '../owners/inviting.ts'
import { indexTeam } from './record.ts'

/** Items that are looked for at once. */
export const BATCH = 50

/**
 * Ends a membership of a locked team, with what the account offered others. Where it was the last owner the member of longest standing
 * becomes one; false for the only one, and then nothing changes.
 */
export async function endMembership(
  db: Transaction,
  member: Pick<TeamMemberTable, 'teamId' | 'accountId'>,
  now: string,
): Promise<boolean> {
  const { teamId, accountId } = member
  const next = await findSuccessor(db, { teamId, accountId })
  if (!next) return false
  await deleteMember(db, member)
  if (next.role !== 'owner') await updateMember(db, next, 'owner')
  await endInvitationsBy(db, { type: 'team', id: teamId }, { accountId, now })
  await insertHandover(db, { teamId, accountId })
  return true
}

/** Removes a locked team for good. Its slugs stay taken; each of its items goes to the account that published it. */
export async function removeTeam(db: Transaction, teamId: string, now: string): Promise<void> {
  await endInvitations(db, await listNamingTeam(db, teamId), now)
  await keepSlugs(db, { kind: 'team', targetId: teamId, ownerId: DELETED_USER })
  await deleteTeam(db, teamId)
  await insertHandover(db, { teamId, accountId: '' })
  await indexTeam(db, teamId)
}

/** What waits to be given on: `<team>/<account>`. */
export const listLeft = async (db: Db, limit: number): Promise<{ key: string }[]> =>
  (await listHandovers(db, limit)).map(({ teamId, accountId }) => ({ key: `${teamId}/${accountId}` }))

/**
 * Gives some items on, after one by their ids, that an account published for a team that it left, or of a team that is gone. Gives the last of
 * them; undefined where there are no more.
 */
export async function handOverBatch(db: Db, key: string, after: string): Promise<string | undefined> {
  const [teamId = '', accountId = ''] = key.split('/')
  const left = { teamId, accountId }
  const ids = await listItemIds(db, left, { after, limit: BATCH })
  for (const id of ids) await handOver(db, id, left)
  if (ids.length === BATCH) return ids.at(-1)
  await db.transaction().execute((transaction) => deleteHandover(transaction, left))
  return undefined
}

async function handOver(
  db: Db,
  itemId: string,
  { teamId, accountId }: Parameters<typeof deleteHandover>[1],
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const item = await findLockedItem(transaction, itemId)
    if (item?.teamId !== teamId || (accountId !== '' && item.ownerId !== accountId)) return
    // An account that joined again keeps what it published.
    if (await findMember(transaction, { teamId, accountId: item.ownerId })) return
    if (accountId === '' || (await passToNext(transaction, item)) === undefined) {
      await reassignItem(transaction, item, { ownerId: item.ownerId })
    }
  })
}

/** Ends what an account is in teams, as far as `limit` goes; a team without anybody else goes too. Gives how many there were. */
export async function leaveAll(
  { db, clock }: Pick<Dependencies, 'db' | 'clock'>,
  accountId: string,
  limit: number,
): Promise<number> {
  const all = await listMembershipsOf(db, accountId, limit)
  const now = timestamp(clock.now())
  for (const { teamId } of all) {
    await db.transaction().execute(async (transaction) => {
      const team = await lockTeam(transaction, teamId)
      const member = await lockMember(transaction, { teamId, accountId })
      if (team && member && !(await endMembership(transaction, member, now))) await removeTeam(transaction, teamId, now)
    })
  }
  return all.length
}
