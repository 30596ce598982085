// Handlers for the deletion of one's own account. The erasure itself runs in the background (identity/erasure.ts).
import { Problem } from '../contract/problem.ts'
import { lockUsersAndAdmins } from '../identity/account-queries.ts'
import { cancelDeletion, findDeletion, requestDeletion } from '../identity/deletion.ts'
import { requireAnotherAdmin } from '../identity/rules.ts'
import { lockCaller, noSessionCookie, requireRecent } from '../identity/sessions.ts'
import type { Caller, Context, Handlers } from '../request/handler.ts'
import type { deletion } from './deletion-contract.ts'

const byOwner = ({ outbox, config, caller, now, address }: Context<Caller>) => ({
  ...{ outbox, config, now, address },
  actorId: caller.id,
})

export const handlers: Handlers<typeof deletion> = {
  show: async ({ db, caller }) => ({ deletion: await findDeletion(db, caller.id) }),

  async request(context, { content }) {
    const { db, caller, config, reply } = context
    const requested = await db.transaction().execute(async (transaction) => {
      const locked = await lockUsersAndAdmins(transaction, [caller.id])
      const user = locked.find(({ id }) => id === caller.id)
      if (user?.blockedAt) throw new Problem('blocked', 'This account is blocked')
      if (!user) throw new Problem('unauthorized', 'The session has ended; sign in again')
      await requireRecent(context, transaction)
      requireAnotherAdmin(locked, user)
      return requestDeletion(byOwner(context), transaction, { user, content, requestedBy: 'owner' })
    })
    reply.append('Set-Cookie', noSessionCookie(config.baseUrl))
    return requested
  },

  async cancel(context) {
    await context.db.transaction().execute(async (transaction) => {
      const user = await lockCaller(context, transaction)
      await cancelDeletion(byOwner(context), transaction, { user, byAdmin: false })
    })
    return { kept: true }
  },
}
