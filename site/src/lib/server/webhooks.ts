// The forms of webhooks: the same for those of the community and for those of items.
import { error, type RequestEvent, redirect } from '@sveltejs/kit'
import { boxOf, type Webhook } from '#lib/features/webhooks/words.ts'
import {
  itemWebhookEvents,
  type WebhookEvent,
  webhookEvents,
  webhookFormats,
} from '../../../../src/contract/webhook-events.ts'
import { action, choiceIn, type FormEvent, field, found, typed } from './answers.ts'
import { leaveFor, takeNote } from './note.ts'
import { pageNumber } from './page-number.ts'

type Slice = 'webhooks' | 'itemWebhooks'
type Event = FormEvent & Pick<RequestEvent, 'cookies' | 'params'>

const idIn = ({ id = '' }: Event['params']) => id

/** What a form says of a webhook. The API checks which events there are. */
export function webhookIn<Name extends WebhookEvent>(form: FormData, events: readonly Name[]) {
  const chosen = events.filter((event) => form.has(boxOf(event)))
  const token = field(form, 'token') || undefined
  return { url: field(form, 'url'), description: field(form, 'description'), events: chosen, token }
}

const formatIn = (form: FormData) => choiceIn(form, 'format', webhookFormats)
const templateIn = (form: FormData) => field(form, 'template').trim() || undefined

/** The same of a new one, which may have a form of its own. */
export const newWebhookIn = <Name extends WebhookEvent>(form: FormData, events: readonly Name[]) => ({
  ...webhookIn(form, events),
  format: formatIn(form),
  template: templateIn(form),
})

/** What would be sent, with what was typed. The button says which form it is in. */
export const previewing = (slice: Slice) =>
  action<Pick<Event, keyof FormEvent>, { body: string }, unknown>(
    (form, { locals }) => locals.api[slice].preview({ format: formatIn(form), template: templateIn(form) }),
    ({ body }, form) => ({ preview: body, of: field(form, 'preview'), typed: typed(form) }),
    { of: (form) => field(form, 'preview') },
  )

/** The page of one webhook. */
export async function webhookPage(slice: Slice, event: Pick<Event, 'cookies' | 'locals' | 'url' | 'params'>) {
  const { locals, url, params } = event
  const [id, page] = [idIn(params), pageNumber(url)]
  const [{ items }, log] = await Promise.all([
    found<{ items: Webhook[] }>(locals.api[slice].list({})),
    found(locals.api[slice].deliveries({ id, page })),
  ])
  const webhook = items.find((one) => one.id === id) ?? error(404, locals.t('admin.webhook.none'))
  return { webhook, log, page, note: takeNote(event) }
}

/** Saves what a form says. */
function save({ locals, params }: Event, slice: Slice, form: FormData): Promise<Webhook> {
  const id = idIn(params)
  const template = form.has('template') && { template: templateIn(form) ?? null }
  if (slice === 'webhooks') {
    // Where there is one board alone, the form does not ask for it.
    const board = form.has('board') && { board: field(form, 'board') || null }
    return locals.api.webhooks.update({ id, ...webhookIn(form, webhookEvents), ...template, ...board })
  }
  return locals.api.itemWebhooks.update({ id, ...webhookIn(form, itemWebhookEvents), ...template })
}

/** Leads to the page of a webhook that was added, which shows the secret. */
export const added = ({ id, secret }: { id: string; secret: string | null }, event: Event, base: string) =>
  leaveFor(event, `${base}/${id}`, { done: 'create', ...(secret !== null && { secret }) })

/** Every form leads to the page again, which can be loaded again then. */
export const webhookActions = (slice: Slice) => {
  const done = (name: string) => (_: unknown, __: FormData, event: Event) =>
    leaveFor(event, event.url.pathname, { done: name })
  const doing = (name: string, act: (form: FormData, event: Event) => Promise<unknown>) =>
    action<Event, unknown, never>(act, done(name))
  const change =
    (enabled: boolean) =>
    (_: FormData, { locals, params }: Event) =>
      locals.api[slice].update({ id: idIn(params), enabled })
  return {
    test: doing('test', (_, { locals, params }) => locals.api[slice].test({ id: idIn(params) })),
    redeliver: action<Event, unknown, never>(
      (form, { locals, params }) =>
        locals.api[slice].redeliver({ id: idIn(params), deliveryId: field(form, 'deliveryId') }),
      done('redeliver'),
      { of: (form) => `redeliver ${field(form, 'deliveryId')}` },
    ),
    save: doing('save', (form, event) => save(event, slice, form)),
    preview: previewing(slice),
    enable: doing('enable', change(true)),
    disable: doing('disable', change(false)),
    rotate: action<Event, { secret: string }, never>(
      (_, { locals, params }) => locals.api[slice].rotateSecret({ id: idIn(params) }),
      ({ secret }, _, event) => leaveFor(event, event.url.pathname, { done: 'rotate', secret }),
    ),
    delete: action<Event, unknown, never>(
      (_, { locals, params }) => locals.api[slice].delete({ id: idIn(params) }),
      (_, __, { url }) => redirect(303, url.pathname.replace(/\/[^/]+$/, '')),
    ),
  }
}
