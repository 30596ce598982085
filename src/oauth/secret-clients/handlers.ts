// Handlers for apps with a secret. The secret is in one response; only its keyed hash is stored.
import { requireRecent } from '../../identity/sessions.ts'
import type { Handlers } from '../../request/handler.ts'
import type { secretClients } from './contract.ts'
import { listSecretClients } from './queries.ts'
import { endSecretClient, registerSecretClient, rotateSecret, shownClient } from './registering.ts'
import { MAX_SECRET_CLIENTS } from './rules.ts'

export const handlers: Handlers<typeof secretClients> = {
  async list({ db, now }) {
    const found = await listSecretClients(db, MAX_SECRET_CLIENTS)
    return { items: found.map((client) => shownClient(client, now)) }
  },

  async create(context, { name, method }) {
    const { db, caller, now, address } = context
    const { client, secret } = await db.transaction().execute(async (transaction) => {
      await requireRecent(context, transaction)
      return registerSecretClient(context, transaction, { name, method, actorId: caller.id, now, address })
    })
    return { ...shownClient(client, now), secret }
  },

  async rotate(context, { id, overlapHours }) {
    const { db, caller, now, address } = context
    const { client, secret } = await db.transaction().execute(async (transaction) => {
      await requireRecent(context, transaction)
      return rotateSecret(context, transaction, { id, overlapHours, actorId: caller.id, now, address })
    })
    const { createdAt: _, ...shown } = shownClient(client, now)
    return { ...shown, secret }
  },

  async end({ db, caller, now, address }, { id }) {
    await db
      .transaction()
      .execute((transaction) => endSecretClient(transaction, { id, actorId: caller.id, now, address }))
    return { id }
  },
}
