// The erasure of an account's webhooks, and of what others' webhooks were told of its acts.
import { clearing, type ErasureStep } from '../../identity/erasure.ts'
import * as queries from './queries.ts'

export const webhookErasure: readonly ErasureStep[] = [
  {
    name: 'webhooks',
    part: 'account',
    clears: ['webhook.ownerId'],
    // One at a time: its deliveries go with it.
    erase: async ({ db }, { id }) => (await queries.deleteWebhooksOf(db, id, 1)) === 1,
  },
  clearing('deliveries', ['webhookDelivery.actorId'], queries.deleteDeliveriesBy),
]
