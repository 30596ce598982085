import { administering } from '#lib/server/administration.ts'
import { action, field, found } from '#lib/server/answers.ts'
import { boardsOf } from '#lib/server/boards.ts'
import { added, newWebhookIn, previewing } from '#lib/server/webhooks.ts'
import { webhookEvents } from '../../../../../src/contract/webhook-events.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

export const load: PageServerLoad = async (event) => {
  await administering(event)
  const [{ items: webhooks }, boards] = await Promise.all([
    found(event.locals.api.webhooks.list({})),
    boardsOf(event.locals),
  ])
  return { webhooks, boards: boards.map(({ id, slug, name }) => ({ id, slug, name })) }
}

export const actions = {
  preview: previewing('webhooks'),
  create: action(
    (form, { locals }) =>
      locals.api.webhooks.create({ ...newWebhookIn(form, webhookEvents), board: field(form, 'board') || undefined }),
    (webhook, _, event: RequestEvent) => added(webhook, event, event.url.pathname),
  ),
} satisfies Actions
