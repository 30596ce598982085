// Webhooks in words: their events and their states.
import type { Answer } from '#lib/api.ts'
import { type SiteWords, wordOf } from '#lib/language/catalogue.ts'
import type { TEST_EVENT, WebhookEvent } from '../../../../../src/contract/webhook-events.ts'

export type Webhook = Answer<'webhooks.list'>['items'][number]
export type Delivery = Answer<'webhooks.deliveries'>['items'][number]

export const eventWord = (t: SiteWords, event: WebhookEvent | typeof TEST_EVENT): string =>
  wordOf(t, `admin.event.${event.replace('.', '_')}`) ?? event

/** The checkbox of an event in a form. */
export const boxOf = (event: string) => `event:${event}`

export const stateOf = ({ enabled, failingSince }: Pick<Webhook, 'enabled' | 'failingSince'>) =>
  enabled ? (failingSince ? 'failing' : 'active') : 'disabled'
