// The forms of webhooks: the same for those of the community and for those of items.
import { error, redirect } from '@sveltejs/kit'
import { boxOf, type Webhook } from '#lib/features/webhooks/words.ts'
import { itemWebhookEvents, type WebhookEvent, webhookEvents } from '../../../../src/contract/webhook-events.ts'
import { action, type FormEvent, field, found } from './answers.ts'
import { pageNumber } from './comments.ts'

type Slice = 'webhooks' | 'itemWebhooks'
type Event = FormEvent & { params: { id: string } }

/** What a form says of a webhook. The API checks which events there are. */
export function webhookIn<Name extends WebhookEvent>(form: FormData, events: readonly Name[]) {
  const chosen = events.filter((event) => form.has(boxOf(event)))
  return { url: field(form, 'url'), description: field(form, 'description'), events: chosen }
}

/** The page of one webhook. */
export async function webhookPage(slice: Slice, { locals, url, params }: Pick<Event, 'locals' | 'url' | 'params'>) {
  const page = pageNumber(url)
  const [{ items }, log] = await Promise.all([
    found<{ items: Webhook[] }>(locals.api[slice].list({})),
    found(locals.api[slice].deliveries({ id: params.id, page })),
  ])
  const webhook = items.find(({ id }) => id === params.id) ?? error(404, 'No such webhook')
  return { webhook, log, page }
}

/** Saves what a form says. */
function save({ locals, params: { id } }: Event, slice: Slice, form: FormData): Promise<Webhook> {
  if (slice === 'webhooks') return locals.api.webhooks.update({ id, ...webhookIn(form, webhookEvents) })
  return locals.api.itemWebhooks.update({ id, ...webhookIn(form, itemWebhookEvents) })
}

export const webhookActions = (slice: Slice) => ({
  test: action<Event, unknown, { done: string }>(
    (_, { locals, params: { id } }) => locals.api[slice].test({ id }),
    () => ({ done: 'test' }),
  ),
  redeliver: action<Event, unknown, { done: string }>(
    (form, { locals, params: { id } }) => locals.api[slice].redeliver({ id, deliveryId: field(form, 'deliveryId') }),
    () => ({ done: 'redeliver' }),
    { of: (form) => `redeliver ${field(form, 'deliveryId')}` },
  ),
  save: action<Event, unknown, { done: string }>(
    (form, event) => save(event, slice, form),
    () => ({ done: 'save' }),
  ),
  enable: action<Event, unknown, { done: string }>(
    (_, { locals, params: { id } }) => locals.api[slice].update({ id, enabled: true }),
    () => ({ done: 'enable' }),
  ),
  disable: action<Event, unknown, { done: string }>(
    (_, { locals, params: { id } }) => locals.api[slice].update({ id, enabled: false }),
    () => ({ done: 'disable' }),
  ),
  rotate: action<Event, { secret: string }, { done: string; secret: string }>(
    (_, { locals, params: { id } }) => locals.api[slice].rotateSecret({ id }),
    ({ secret }) => ({ done: 'rotate', secret }),
  ),
  delete: action<Event, unknown, never>(
    (_, { locals, params: { id } }) => locals.api[slice].delete({ id }),
    (_, __, { url }) => redirect(303, url.pathname.replace(/\/[^/]+$/, '')),
  ),
})
