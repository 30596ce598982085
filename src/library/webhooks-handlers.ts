// Webhooks of library items: their owners' own.

import { addWebhook, shownWebhook, webhookHandlers } from '../content/webhooks/handlers.ts'
import { listItemWebhooks } from '../content/webhooks/queries.ts'
import { Problem } from '../contract/problem.ts'
import type { Handlers } from '../request/handler.ts'
import { noSuchItem } from './queries.ts'
import { lockItemFor } from './record.ts'
import { canSee, isOwner } from './rules.ts'
import type { itemWebhooks } from './webhooks-contract.ts'

export const handlers: Handlers<typeof itemWebhooks> = {
  async list({ db, caller }, { itemId }) {
    return { items: (await listItemWebhooks(db, caller.id, itemId)).map(shownWebhook) }
  },

  create(context, given) {
    const { caller } = context
    return addWebhook(context, given, async (transaction) => {
      const item = await lockItemFor(transaction, caller, given.itemId)
      if (!canSee(caller, item)) throw noSuchItem()
      if (!isOwner(caller, item)) throw new Problem('forbidden', 'Only its owners can add webhooks')
    })
  },

  ...webhookHandlers((caller, { ownerId, itemId }) => itemId !== null && ownerId === caller.id),
}
