// What webhooks tell of. The names are full-stop delimited, as Standard Webhooks recommends.
export const webhookEvents = [
  'bug.created',
  'bug.edited',
  'bug.status_changed',
  'feature.created',
  'feature.edited',
  'feature.status_changed',
  'post.created',
  'post.edited',
  'org.created',
  'org.edited',
  'item.published',
  'item.version_published',
  'comment.created',
  'comment.edited',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** What there is of one item. */
export const itemWebhookEvents = [
  'item.published',
  'item.version_published',
  'comment.created',
  'comment.edited',
] as const satisfies WebhookEvent[]

/** What the test of a webhook sends. */
export const TEST_EVENT = 'webhook.test'
