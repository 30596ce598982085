// Webhooks of the community and the library, for admins.
import { z } from 'zod'
import { administer, inspect } from '../../content/area.ts'
import { creation, newWebhook, webhookList, webhookOperations } from '../../content/webhooks/contract.ts'
import type { Contract } from '../../contract/operation.ts'
import { webhookEvents } from '../../contract/webhook-events.ts'

const path = '/community/admin/webhooks'

export const webhooks = {
  list: {
    summary: 'Webhooks of the community, of every admin',
    method: 'GET',
    path,
    access: inspect,
    input: z.object({}),
    output: webhookList,
  },
  create: {
    ...creation,
    summary: 'Add a webhook for events of the community and the library',
    kind: 'moderation',
    path,
    access: administer,
    input: newWebhook(webhookEvents),
    problems: ['conflict'],
  },
  ...webhookOperations({ path, kind: 'moderation', read: inspect, write: administer, events: webhookEvents }),
} satisfies Contract
