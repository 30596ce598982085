// Webhooks, of the community and of items.

import { clearing, type ErasureStep } from '../../identity/erasure.ts'
import type { Feature, JobSource, Work } from '../manifest.ts'
import { titlesIn } from '../title-queries.ts'
import { deleteDeliveriesBy, deleteSettled, deleteWebhooksOf } from './queries.ts'
import type { WebhookSender } from './sending.ts'
import { deleteOldTold, deleteToldBy } from './told-queries.ts'

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
  clearing('told-events', ['toldEvent.actorId'], deleteToldBy),
]

export const webhooksFeature = {
  erasure: { steps: () => webhookErasure },
  titles: { webhook: titlesIn('webhook', ['id', 'url'], ({ id, url }) => ({ id, title: url, url: null })) },
  jobs: (_: JobSource, work: Work<{ sender: Pick<WebhookSender, 'send'> }>) => [
    {
      kind: 'webhooks.send',
      summary: 'sends deliveries to webhooks; each delivery has attempts of its own',
      wake: { inEachProcess: 1, overlapping: true },
      batch: async () => void (await work().services.sender.send()),
    },
  ],
  cleanUps: {
    toldEvents: [
      'subscriptions that have ended, and what was told a while ago',
      (now, { db }) => deleteOldTold(db, now),
    ],
    deliveries: [
      'old deliveries of webhooks',
      (now, { db, config }) => deleteSettled(db, now, config.keptDays.deliveries),
    ],
  },
} satisfies Feature
