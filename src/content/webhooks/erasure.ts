// The erasure of an account's webhooks, and of what others' webhooks were told of its acts.
import { ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import * as queries from './queries.ts'

export const webhookErasure: readonly ErasureStep[] = [
  {
    name: 'webhooks',
    part: 'account',
    clears: ['webhook.ownerId'],
    // One at a time: its deliveries go with it.
    erase: async ({ db }, { id }) => (await queries.deleteWebhooksOf(db, id, 1)) === 1,
  },
  {
    name: 'deliveries',
    part: 'account',
    clears: ['webhookDelivery.actorId'],
    erase: async ({ db }, { id }) => (await queries.deleteDeliveriesBy(db, id, ERASURE_BATCH)) === ERASURE_BATCH,
  },
]
