// What webhooks tell of. The names are full-stop delimited, as Standard Webhooks recommends.
export const webhookEvents = [
  'bug.created',
  'bug.edited',
  'bug.status_changed',
  'bug.merged',
  'bug.unmerged',
  'bug.deleted',
  'feature.created',
  'feature.edited',
  'feature.status_changed',
  'feature.merged',
  'feature.unmerged',
  'feature.deleted',
  'post.created',
  'post.edited',
  'post.merged',
  'post.unmerged',
  'post.deleted',
  'release.created',
  'release.edited',
  'release.deleted',
  'org.created',
  'org.edited',
  'org.deleted',
  'item.published',
  'item.version_published',
  'item.version_yanked',
  'item.version_unyanked',
  'item.deprecated',
  'item.undeprecated',
  'item.deleted',
  'comment.created',
  'comment.edited',
  'comment.deleted',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** What there is of one item, as long as it is there. */
export const itemWebhookEvents = [
  'item.published',
  'item.version_published',
  'item.version_yanked',
  'item.version_unyanked',
  'item.deprecated',
  'item.undeprecated',
  'comment.created',
  'comment.edited',
  'comment.deleted',
] as const satisfies WebhookEvent[]

/** Whether an event tells that something is gone: then it is sent although that is gone. */
export const isDeletion = (event: string): boolean => event.endsWith('.deleted')

/** What the test of a webhook sends. */
export const TEST_EVENT = 'webhook.test'
