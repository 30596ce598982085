// The caller's own grants: only their account can list and revoke them.
import { Problem } from '../contract/problem.ts'
import { scopeNames } from '../contract/scopes.ts'
import * as queries from '../identity/grant-queries.ts'
import { revokeGrant } from '../identity/grants.ts'
import type { Handlers } from '../request/handler.ts'
import type { signIns } from './sign-ins-contract.ts'

export const handlers: Handlers<typeof signIns> = {
  async list({ db, caller, now }) {
    const all = await queries.listGrants(db, caller.id, now)
    const items = all.map(({ id, clientId, clientName, scope, createdAt, lastUsedAt, expiresAt }) => ({
      id,
      clientId,
      clientName,
      scopes: scopeNames(scope),
      createdAt,
      lastUsedAt,
      expiresAt,
    }))
    return { items }
  },

  async end({ db, caller, now, address }, { id }) {
    await db.transaction().execute(async (transaction) => {
      const grant = await queries.findGrant(transaction, { id })
      const ended =
        grant?.userId === caller.id &&
        (await revokeGrant(transaction, id, { actorId: caller.id, reason: 'ended by its account', now, address }))
      if (!ended) throw new Problem('not_found', 'No such sign-in')
    })
    return { id }
  },
}
