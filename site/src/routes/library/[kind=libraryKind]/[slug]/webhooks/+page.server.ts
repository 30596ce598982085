import { error } from '@sveltejs/kit'
import { action, found } from '#lib/server/answers.ts'
import { itemAt } from '#lib/server/library.ts'
import { added, newWebhookIn, previewing } from '#lib/server/webhooks.ts'
import { signedIn } from '#lib/server/writing.ts'
import { itemWebhookEvents } from '../../../../../../../src/contract/webhook-events.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const item = await itemAt(event.locals, event.params)
  if (!item.can.webhooks) error(403, event.locals.t('item.webhooks.refused'))
  return { item, webhooks: (await found(event.locals.api.itemWebhooks.list({ itemId: item.id }))).items }
}

export const actions = {
  preview: previewing('itemWebhooks'),
  create: action(
    async (form, { locals, params }: RequestEvent) => {
      const { id: itemId } = await itemAt(locals, params)
      return locals.api.itemWebhooks.create({ itemId, ...newWebhookIn(form, itemWebhookEvents) })
    },
    (webhook, _, event) => added(webhook, event, '/settings/webhooks'),
  ),
} satisfies Actions
