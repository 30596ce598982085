// Webhooks of the community: every admin looks after all of them.

import { addWebhook, shownWebhook, webhookHandlers } from '../../content/webhooks/handlers.ts'
import { listCommunityWebhooks } from '../../content/webhooks/queries.ts'
import type { Handlers } from '../../request/handler.ts'
import type { webhooks } from './contract.ts'

/** More than every admin of a community has. */
const MAX_LISTED = 500

export const handlers: Handlers<typeof webhooks> = {
  async list({ db }) {
    return { items: (await listCommunityWebhooks(db, MAX_LISTED)).map(shownWebhook) }
  },
  create: (context, given) => addWebhook(context, { ...given, itemId: null }),
  ...webhookHandlers((_caller, { itemId }) => itemId === null),
}
