// Webhooks in words: their events and their states.
import type { Answer } from '#lib/api.ts'
import { TEST_EVENT, type WebhookEvent } from '../../../../../src/contract/webhook-events.ts'

export type Webhook = Answer<'webhooks.list'>['items'][number]
export type Delivery = Answer<'webhooks.deliveries'>['items'][number]

export const eventWords: Record<WebhookEvent | typeof TEST_EVENT, string> = {
  'bug.created': 'Bug filed',
  'bug.edited': 'Bug edited',
  'bug.status_changed': 'Status of a bug changed',
  'bug.merged': 'Bug merged into another one',
  'bug.unmerged': 'Merge of a bug undone',
  'bug.deleted': 'Bug deleted or hidden',
  'feature.created': 'Feature requested',
  'feature.edited': 'Feature request edited',
  'feature.status_changed': 'Status of a feature request changed',
  'feature.merged': 'Feature request merged into another one',
  'feature.unmerged': 'Merge of a feature request undone',
  'feature.deleted': 'Feature request deleted or hidden',
  'post.created': 'Post written',
  'post.edited': 'Post edited',
  'post.merged': 'Post merged into another one',
  'post.unmerged': 'Merge of a post undone',
  'post.deleted': 'Post deleted or hidden',
  'release.created': 'Release published',
  'release.edited': 'Release edited',
  'release.deleted': 'Release deleted or hidden',
  'org.created': 'Org uploaded',
  'org.edited': 'Org edited',
  'org.deleted': 'Org deleted or hidden',
  'item.published': 'Item became public',
  'item.version_published': 'New version of an item',
  'item.version_yanked': 'Version of an item yanked',
  'item.version_unyanked': 'Yank of a version taken back',
  'item.deprecated': 'Item deprecated',
  'item.undeprecated': 'Deprecation of an item taken back',
  'item.deleted': 'Item deleted, hidden or private',
  'comment.created': 'Comment written',
  'comment.edited': 'Comment edited',
  'comment.deleted': 'Comment deleted or hidden',
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
