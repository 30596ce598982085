// Webhooks, of the community and of items.

import { clearing, type ErasureStep } from '../../identity/erasure.ts'
import type { Feature } from '../manifest.ts'
import { titlesIn } from '../title-queries.ts'
import { deleteDeliveriesBy, deleteWebhooksOf } from './queries.ts'

/** Its webhooks, and what webhooks of others were told of its acts. */
const webhookErasure: readonly ErasureStep[] = [
  {
    name: 'webhooks',
    part: 'account',
    clears: ['webhook.ownerId'],
    // One at a time: its deliveries go with it.
    erase: async ({ db }, { id }) => (await deleteWebhooksOf(db, id, 1)) === 1,
  },
  clearing('deliveries', ['webhookDelivery.actorId'], deleteDeliveriesBy),
]

export const webhooksFeature = {
  erasure: { steps: () => webhookErasure },
  titles: { webhook: titlesIn('webhook', ['id', 'url'], ({ id, url }) => ({ id, title: url, url: null })) },
} satisfies Feature
