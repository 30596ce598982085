// Messages in the form of each service, and what its answers mean. Where a service has a form in which text is only text (Slack's rich text, the
// text runs of Adaptive Cards), that is used; elsewhere each character that has a meaning is escaped.
import type { WebhookFormat } from '../../contract/webhook-formats.ts'
import { objectIn } from '../../runtime/json.ts'
import { asText, fitted, linesOf, type Piece, type Values, type Writing } from './chat-template.ts'
import { MAX_PAUSE_SECONDS } from './rules.ts'

export type ChatFormat = Exclude<WebhookFormat, 'guildhall'>

/** Of a message, in UTF-16 units as it is written, which is never fewer than what a service counts. */
export const LIMITS: Readonly<Record<ChatFormat, number>> = {
  // Of the text of a block; a message may have 40,000.
  slack: 3_000,
  discord: 2_000,
  mattermost: 16_383,
  // An event has 65,536 bytes, and says it twice: as text and as HTML, where a unit has three bytes at most.
  matrix: 8_000,
  // A card has 28 KB, and a unit three bytes at most.
  teams: 6_000,
}

const asItIs = (text: string): string => text

const slackCharacters: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const slackText = (text: string) => text.replace(/[&<>]/g, (one) => slackCharacters[one] ?? one)

/** Rich text has its own element for a mention and for a link, so text in it is neither. `text` is what notifications show. */
function slack(lines: readonly Piece[][]) {
  const whole = fitted(lines, LIMITS.slack, { character: asItIs, link: asItIs })
  const elements = whole.flatMap((pieces, at) => [
    ...(at === 0 ? [] : [{ type: 'text', text: '\n' } as const]),
    ...pieces.map(({ text, isLink }) =>
      isLink ? ({ type: 'link', url: text } as const) : ({ type: 'text', text } as const),
    ),
  ])
  const text = asText(fitted(lines, LIMITS.slack, { character: slackText, link: slackText }))
  return {
    text,
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [{ type: 'rich_text' as const, elements: [{ type: 'rich_text_section' as const, elements }] }],
  }
}

/** A link in angle brackets shows no preview. */
const discordWriting: Writing = {
  character: (one) => (/[!-/:-@[-`{-~]/.test(one) ? `\\${one}` : one),
  link: (address) => `<${address}>`,
}

const discord = (lines: readonly Piece[][]) => ({
  content: asText(fitted(lines, LIMITS.discord, discordWriting)),
  allowed_mentions: { parse: [] },
})

/**
 * Mattermost reads Slack's markup too (`<!channel>`, `<address|words>`), so angle brackets are entities. After an @ comes a character without
 * width: a backslash there is not looked at when mentions are.
 */
const mattermostWriting: Writing = {
  character: (one) =>
    one === '@' ? '@\u200b' : (slackCharacters[one] ?? (/[\\`*_{}[\]()#!~|]/.test(one) ? `\\${one}` : one)),
  link: asItIs,
}

const mattermost = (lines: readonly Piece[][]) => ({
  text: asText(fitted(lines, LIMITS.mattermost, mattermostWriting)),
})

const htmlCharacters: Readonly<Record<string, string>> = { ...slackCharacters, '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (one) => htmlCharacters[one] ?? one)

/** `m.mentions` that is empty says that it mentions no one (Matrix 1.7, intentional mentions). */
function matrix(lines: readonly Piece[][]) {
  const link = (address: string) => `<a href="${escapeHtml(address)}">${escapeHtml(address)}</a>`
  return {
    msgtype: 'm.notice',
    body: asText(fitted(lines, LIMITS.matrix, { character: asItIs, link: asItIs })),
    format: 'org.matrix.custom.html',
    formatted_body: asText(fitted(lines, LIMITS.matrix, { character: escapeHtml, link })).replaceAll('\n', '<br>'),
    'm.mentions': {},
  }
}

/** A Workflows webhook takes a message with one card. A run of text is no Markdown. */
function teams(lines: readonly Piece[][]) {
  const body = fitted(lines, LIMITS.teams, { character: asItIs, link: asItIs }).map((pieces) => ({
    type: 'RichTextBlock' as const,
    inlines: pieces.map(({ text, isLink }) => ({
      type: 'TextRun' as const,
      text,
      ...(isLink && { selectAction: { type: 'Action.OpenUrl' as const, url: text } }),
    })),
  }))
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard' as const,
    version: '1.2',
    body,
  }
  const contentType = 'application/vnd.microsoft.card.adaptive'
  return { type: 'message' as const, attachments: [{ contentType, contentUrl: null, content }] }
}

export const messages = { slack, discord, mattermost, matrix, teams } as const satisfies Record<ChatFormat, unknown>

/** What a service is sent of an event. */
export const chatBody = (format: ChatFormat, template: string | null, values: Values): string =>
  JSON.stringify(messages[format](linesOf(template, values)))

const ROOM = /^(?:\/[\w.~-]+)*\/_matrix\/client\/v3\/rooms\/(?:!|%21)[^/]{1,512}$/

/** Why an address is none of a format. */
export function wrongAddress(format: WebhookFormat, url: string): string | undefined {
  if (format !== 'matrix') return undefined
  const { pathname, search } = new URL(url)
  return ROOM.test(pathname) && search === ''
    ? undefined
    : 'url: must be a room of a Matrix server, as in https://matrix.example.com/_matrix/client/v3/rooms/!room:example.com'
}

/** How a message is sent. Matrix knows a repeat by the id of the delivery. */
export const methodOf = (format: WebhookFormat): 'POST' | 'PUT' => (format === 'matrix' ? 'PUT' : 'POST')

export const addressOf = (format: WebhookFormat, url: string, deliveryId: string): string =>
  format === 'matrix' ? `${url}/send/m.room.message/${encodeURIComponent(deliveryId)}` : url

/** An address that is a secret itself as it is shown and kept: its server. */
export const shownAddress = (format: WebhookFormat, url: string): string =>
  format === 'guildhall' || format === 'matrix' ? url : `${new URL(url).origin}/…`

/** Whether the address is the secret, which stands in place of one that signs. */
export const isSecretAddress = (format: WebhookFormat): boolean => format !== 'guildhall' && format !== 'matrix'

export interface Answer {
  status: number
  /** Its beginning. */
  body: string
}

export interface Meaning {
  /** What was taken by the status, and was not. */
  isRefused?: boolean
  /** The address is there no more. */
  isGone?: boolean
  retryAfterSeconds: number
}

const numberOf = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0)

/** In the body of a 429: Discord in seconds, Matrix in milliseconds. */
function retryIn(format: WebhookFormat, said: Record<string, unknown>): number {
  if (format === 'discord') return numberOf(said.retry_after)
  return format === 'matrix' ? numberOf(said.retry_after_ms) / 1_000 : 0
}

/** What the answer of a service means beside its status. */
export function meaningOf(format: WebhookFormat, { status, body }: Answer): Meaning {
  const said = objectIn(body) ?? {}
  const retryAfterSeconds = status === 429 ? Math.min(Math.ceil(retryIn(format, said)), MAX_PAUSE_SECONDS) : 0
  const isTaken = {
    ...{ guildhall: true, discord: true, teams: true },
    ...{ slack: body.trim() === 'ok', mattermost: body.trim() === 'ok', matrix: typeof said.event_id === 'string' },
  }[format]
  return {
    retryAfterSeconds,
    ...(status >= 200 && status < 300 && !isTaken && { isRefused: true }),
    ...(status === 404 && (format === 'slack' || format === 'discord') && { isGone: true }),
  }
}
