// Messages in the form of services where people chat. Where a service has a form in which text is only text (Slack's rich text, the text runs of
// Adaptive Cards), that is used; elsewhere each character that has a meaning is escaped. So nothing in a text is a mention, a link or markup.

export type ChatFormat = 'slack' | 'discord' | 'mattermost' | 'matrix' | 'teams'

/** A text of others is text; a link is an address of this instance. */
export interface Piece {
  text: string
  isLink: boolean
}

const isEmpty = ({ text }: Piece) => text === ''

const CUT = '…'

/** How a service writes one character of a text, and a link. */
export interface Writing {
  /** `before` and `after` are its neighbours, empty at an end of the text. */
  character(one: string, around: { before: string; after: string }): string
  link(address: string): string
}

/** The beginning of a text that fits, written for a service: never half of an escape. */
function beginning(text: string, room: number, write: Writing['character']): string {
  const units = Array.from(text).map((one, at, all) =>
    write(one, { before: all[at - 1] ?? '', after: all[at + 1] ?? '' }),
  )
  const whole = units.join('')
  if (whole.length <= room) return whole
  let cut = ''
  for (const unit of units) {
    if (cut.length + unit.length + CUT.length > room) break
    cut += unit
  }
  return room < CUT.length ? '' : cut + CUT
}

/** The same lines written for a service, `limit` UTF-16 units in all. Links that fit stay whole; texts are cut, the last ones first. */
export function fitted(lines: readonly Piece[][], limit: number, { character, link }: Writing): Piece[][] {
  let room = limit - Math.max(0, lines.length - 1)
  const links = lines.map((pieces) =>
    pieces.map(({ text, isLink }) => {
      const written = isLink ? link(text) : ''
      if (written.length > room) return ''
      room -= written.length
      return written
    }),
  )
  return lines.map((pieces, at) =>
    pieces
      .map(({ text, isLink }, place) => {
        if (isLink) return { text: links[at]?.[place] ?? '', isLink }
        const written = beginning(text, room, character)
        room -= written.length
        return { text: written, isLink }
      })
      .filter((piece) => !isEmpty(piece)),
  )
}

/** As one text. */
export const asText = (lines: readonly Piece[][]): string =>
  lines
    .map((pieces) => pieces.map(({ text }) => text).join(''))
    .join('\n')
    .trim()

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
 * Mattermost reads Slack's markup too (`<!channel>`, `<address|words>`), so angle brackets are entities. So are `=` (headings), `$` (formulas) and
 * `:` (addresses and pictures by name), which not each of its clients lets a backslash escape. After an @ comes a character without width: a
 * backslash there is not looked at when mentions are.
 */
const mattermostCharacters: Readonly<Record<string, string>> = {
  ...slackCharacters,
  ...{ '@': '@\u200b', '=': '&#61;', $: '&#36;', ':': '&#58;' },
}
const isSpaceOrEnd = (one: string) => one.trim() === ''

/** Whether a character means nothing where it is, as in "a-b: c.", though it does elsewhere: in lists, lines, headings and addresses. */
function isPlainThere(one: string, { before, after }: { before: string; after: string }): boolean {
  if (one === ':') return after !== '' && isSpaceOrEnd(after)
  if (one === '.') return before !== '' && !/\d/.test(before) && isSpaceOrEnd(after)
  return /[-+=]/.test(one) && /[\p{L}\p{N}]/u.test(before)
}

const mattermostWriting: Writing = {
  character: (one, around) =>
    isPlainThere(one, around)
      ? one
      : (mattermostCharacters[one] ?? (/[\\`*_{}[\]()#!~|+.-]/.test(one) ? `\\${one}` : one)),
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
