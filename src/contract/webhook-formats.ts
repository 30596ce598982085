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
