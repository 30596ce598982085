import { administering } from '#lib/server/administration.ts'
import { action, found } from '#lib/server/answers.ts'
import { added, webhookIn } from '#lib/server/webhooks.ts'
import { webhookEvents } from '../../../../../src/contract/webhook-events.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

export const load: PageServerLoad = async (event) => {
  await administering(event)
  return { webhooks: (await found(event.locals.api.webhooks.list({}))).items }
}

export const actions = {
  create: action(
    (form, { locals }) => locals.api.webhooks.create(webhookIn(form, webhookEvents)),
    (webhook, _, event: RequestEvent) => added(webhook, event, event.url.pathname),
  ),
} satisfies Actions
