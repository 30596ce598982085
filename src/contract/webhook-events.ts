// What webhooks tell of. The names are full-stop delimited, as Standard Webhooks recommends.

// In whose form a webhook says what happened: ours, or that of a service where people chat. The site offers the same names.

export const webhookFormats = ['guildhall', 'slack', 'discord', 'mattermost', 'matrix', 'teams'] as const
export type WebhookFormat = (typeof webhookFormats)[number]

/** What a template may name. */
export const templateNames = ['title', 'author', 'url', 'event', 'excerpt', 'board'] as const
export type TemplateName = (typeof templateNames)[number]

export const MAX_TEMPLATE = 2_000

/** What a message says unless its owner chose other words. A line is left out where nothing that it names is there. */
export const DEFAULT_TEMPLATE = '{event}: {title}\nby {author}\n{excerpt}\n{url}'

/** A name in braces. */
export const NAMED = /\{([^{}\n]*)\}/g

/** The names in a template that there are not. */
export const unknownNames = (template: string): string[] =>
  [...template.matchAll(NAMED)].flatMap(([, name = '']) => (templateNames.some((one) => one === name) ? [] : [name]))

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

/** What happened, in words for agents. */
export const eventWords: Readonly<Record<WebhookEvent, string>> = {
  'bug.created': 'A bug was filed',
  'bug.edited': 'The text of a bug was changed',
  'bug.status_changed': 'The status of a bug was changed',
  'bug.merged': 'A bug was merged into another',
  'bug.unmerged': 'The merge of a bug was undone',
  'bug.deleted': 'A bug was deleted or hidden',
  'feature.created': 'A feature was requested',
  'feature.edited': 'The text of a feature request was changed',
  'feature.status_changed': 'The status of a feature request was changed',
  'feature.merged': 'A feature request was merged into another',
  'feature.unmerged': 'The merge of a feature request was undone',
  'feature.deleted': 'A feature request was deleted or hidden',
  'post.created': 'A post was written',
  'post.edited': 'The text of a post was changed',
  'post.merged': 'A post was merged into another',
  'post.unmerged': 'The merge of a post was undone',
  'post.deleted': 'A post was deleted or hidden',
  'release.created': 'A release was published in the changelog',
  'release.edited': 'The text of a release was changed',
  'release.deleted': 'A release was deleted or hidden',
  'org.created': 'An org was uploaded',
  'org.edited': 'An org was changed',
  'org.deleted': 'An org was deleted or hidden',
  'item.published': 'An item of the library was published',
  'item.version_published': 'A version of an item was published',
  'item.version_yanked': 'A version of an item was yanked',
  'item.version_unyanked': 'The yank of a version was undone',
  'item.deprecated': 'An item was deprecated',
  'item.undeprecated': 'The deprecation of an item was undone',
  'item.deleted': 'An item was deleted or hidden',
  'comment.created': 'A comment was written',
  'comment.edited': 'The text of a comment was changed',
  'comment.deleted': 'A comment was deleted or hidden',
}

/** By what an agent that subscribes to an event can narrow it. */
export type EventArgument = 'board' | 'item'

const inBoards: readonly string[] = ['bug', 'feature', 'post', 'release']

/** The names of the arguments that an event takes. */
export function argumentsOf(event: WebhookEvent): readonly EventArgument[] {
  const [subject = ''] = event.split('.')
  if (inBoards.includes(subject)) return ['board']
  if (subject === 'comment') return ['board', 'item']
  return subject === 'item' && event !== 'item.published' && event !== 'item.deleted' ? ['item'] : []
}
