// Webhooks in words: their events and their states.
import type { Answer } from '#lib/api.ts'
import { TEST_EVENT, type WebhookEvent } from '../../../../../src/contract/webhook-events.ts'

export type Webhook = Answer<'webhooks.list'>['items'][number]
export type Delivery = Answer<'webhooks.deliveries'>['items'][number]

export const eventWords: Record<WebhookEvent | typeof TEST_EVENT, string> = {
  'bug.created': 'Bug filed',
  'bug.edited': 'Bug edited',
  'bug.status_changed': 'Status of a bug changed',
  'feature.created': 'Feature requested',
  'feature.edited': 'Feature request edited',
  'feature.status_changed': 'Status of a feature request changed',
  'post.created': 'Post written',
  'post.edited': 'Post edited',
  'org.created': 'Org uploaded',
  'org.edited': 'Org edited',
  'item.published': 'Item became public',
  'item.version_published': 'New version of an item',
  'comment.created': 'Comment written',
  'comment.edited': 'Comment edited',
  [TEST_EVENT]: 'Test',
}

/** The checkbox of an event in a form. */
export const boxOf = (event: string) => `event:${event}`

/** Why a webhook is not enabled. */
export const whyDisabled: Record<NonNullable<Webhook['disabledReason']>, string> = {
  owner: 'It is disabled. Events that happen now are not sent to it later.',
  failing: 'It failed for three days and was disabled. Enable it when its address responds again.',
  gone: 'Its address answered 410 Gone, so it was disabled.',
}

export const stateOf = ({ enabled, failingSince }: Pick<Webhook, 'enabled' | 'failingSince'>) =>
  enabled ? (failingSince ? 'failing' : 'active') : 'disabled'
