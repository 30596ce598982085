// Staged publishing: versions of an item that wait for one of its people when a program publishes them.
import { record } from '../../audit/audit.ts'
import { Problem } from '../../contract/problem.ts'
import type { Db } from '../../database/schema.ts'
import { lockCaller, requirePerson } from '../../identity/sessions.ts'
import type { Caller, Handlers } from '../../request/handler.ts'
import { listMembers } from '../holders/owner-queries.ts'
import { listMembers as listTeamMembers } from '../holders/team-queries.ts'
import { findItem, noSuchItem } from '../items/queries.ts'
import { canEdit, canSee, isOwner } from '../items/rules.ts'
import { assertNotOfGallery, getVisible, lockItemFor, withRoles } from '../records/record.ts'
import { stagingActions, type trustedPublishers } from './contract.ts'
import { deleteStaged, findStaged, insertStaged } from './queries.ts'

/** Whether programs publish no version of an item before a person agreed to it. */
export const isStaged = async (db: Db, itemId: string): Promise<boolean> => (await findStaged(db, itemId)) !== undefined

/** Whether an account decides on versions of an item: its owners and maintainers do. */
export async function mayDecide(db: Db, caller: Caller, itemId: string): Promise<boolean> {
  const item = await findItem(db, { id: itemId })
  const [seen] = item ? await withRoles<typeof item>(db, caller, [item]) : []
  return (
    seen !== undefined && !seen.gallery && (isOwner(caller, seen) || ('role' in seen && seen.role === 'maintainer'))
  )
}

/** All of these. */
export async function decidersOf(db: Db, itemId: string): Promise<readonly string[]> {
  const item = await findItem(db, { id: itemId })
  if (!item) return []
  if (item.teamId !== null) return (await listTeamMembers(db, item.teamId)).map(({ id }) => id)
  return [item.ownerId, ...(await listMembers(db, itemId)).map(({ id }) => id)]
}

const shown = (since: string | undefined) => ({ only: since !== undefined, since: since ?? null })

export const stagingHandlers: Pick<Handlers<typeof trustedPublishers>, 'staging' | 'setStaging'> = {
  async staging(context, { id }) {
    const item = await getVisible(context, { id })
    if (item.gallery || !canEdit(context.caller, item))
      throw new Problem('forbidden', 'Only its owners and maintainers see this')
    return shown(await findStaged(context.db, id))
  },

  async setStaging(context, { id, only }) {
    const { db, caller, now, address, budget } = context
    await getVisible(context, { id })
    return db.transaction().execute(async (transaction) => {
      await lockCaller(context, transaction)
      const item = await lockItemFor(transaction, caller, id)
      if (!canSee(caller, item)) throw noSuchItem()
      assertNotOfGallery(item)
      if (!isOwner(caller, item)) throw new Problem('forbidden', 'Only its owners can change this')
      await requirePerson(context, transaction)
      await budget.spend(transaction)
      const before = await findStaged(transaction, id)
      if (only === (before !== undefined)) return shown(before)
      if (only) await insertStaged(transaction, { itemId: id, since: now })
      else await deleteStaged(transaction, id)
      const target = { targetType: 'item', targetId: id }
      await record(transaction, now, {
        action: stagingActions.stage,
        actorId: caller.id,
        ...target,
        detail: { only },
        address,
      })
      return shown(only ? now : undefined)
    })
  },
}
