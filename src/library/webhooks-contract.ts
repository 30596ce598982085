// Webhooks of library items, for their owners.
import { z } from 'zod'
import { creation, newWebhook, webhookList, webhookOperations } from '../content/webhooks/contract.ts'
import { Id } from '../contract/fields.ts'
import type { Contract } from '../contract/operation.ts'
import { itemWebhookEvents } from '../contract/webhook-events.ts'
import { read, write } from './items/area.ts'

const path = '/library/webhooks'

export const itemWebhooks = {
  list: {
    summary: 'My webhooks, of one library item or of all',
    method: 'GET',
    path,
    access: read,
    input: z.object({ itemId: Id.optional() }),
    output: webhookList,
  },
  create: {
    ...creation,
    summary: 'Add a webhook for new versions of a library item of mine and comments on it',
    synonyms: ['notify url', 'callback for item', 'item webhook'],
    kind: 'library',
    path,
    access: write,
    input: newWebhook(itemWebhookEvents).extend({ itemId: Id }),
    problems: ['not_found', 'forbidden', 'conflict'],
  },
  ...webhookOperations({ path, kind: 'library', read, write, events: itemWebhookEvents }),
} satisfies Contract
