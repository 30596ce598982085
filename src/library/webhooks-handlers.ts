// Webhooks of library items: their owners' own.

import { addWebhook, shownWebhook, webhookHandlers } from '../content/webhooks/handlers.ts'
import { listItemWebhooks } from '../content/webhooks/queries.ts'
import { Problem } from '../contract/problem.ts'
import type { Handlers } from '../request/handler.ts'
import { lockItem, noSuchItem } from './queries.ts'
import { canSee } from './rules.ts'
import type { itemWebhooks } from './webhooks-contract.ts'

export const handlers: Handlers<typeof itemWebhooks> = {
  async list({ db, caller }, { itemId }) {
    return { items: (await listItemWebhooks(db, caller.id, itemId)).map(shownWebhook) }
  },

  create(context, given) {
    const { caller } = context
    return addWebhook(context, given, async (transaction) => {
      const item = await lockItem(transaction, given.itemId)
      if (!canSee(caller, item)) throw noSuchItem()
      if (item.ownerId !== caller.id) throw new Problem('forbidden', 'Only the owner can add webhooks')
    })
  },

  ...webhookHandlers((caller, { ownerId, itemId }) => itemId !== null && ownerId === caller.id),
}
