// Handlers for the tokens of providers.
import { record } from '../../audit/audit.ts'
import { Problem } from '../../contract/problem.ts'
import * as queries from '../../identity/scim-queries.ts'
import { requireRecent } from '../../identity/sessions.ts'
import type { Handlers } from '../../request/handler.ts'
import { scimActions, type scimTokens } from './contract.ts'
import { newScimToken, storeToken } from './tokens.ts'

export const handlers: Handlers<typeof scimTokens> = {
  list: async ({ db, config }) => ({ isOn: config.scim, items: await queries.listScimTokens(db) }),

  async create(context, { name }) {
    const { db, caller, now, address } = context
    const { token, hash } = await newScimToken(context)
    const stored = await db.transaction().execute(async (transaction) => {
      await requireRecent(context, transaction)
      return storeToken(transaction, { name, hash, actorId: caller.id, now, address })
    })
    return { ...stored, token }
  },

  async revoke({ db, caller, now, address }, { id }) {
    await db.transaction().execute(async (transaction) => {
      if (!(await queries.deleteScimToken(transaction, id))) throw new Problem('not_found', 'No such token')
      await record(transaction, now, { action: scimActions.revoke, actorId: caller.id, targetId: id, address })
    })
    return { id }
  },
}
