// What a message in a chat says of an event, before it has the form of a service: pieces of text and links, in the words of a template. Values are
// put in once and never read again, so that nothing in them is a name, a link or a line.
import { oneLine } from '../../contract/storable.ts'
import { eventWords, TEST_EVENT, type WebhookEvent } from '../../contract/webhook-events.ts'
import { DEFAULT_TEMPLATE, NAMED, type TemplateName } from '../../contract/webhook-formats.ts'
import { shownText } from '../../formats/visible.ts'
import { parseJson } from '../../runtime/untyped.ts'

/** A text of others is text; a link is an address of this instance. */
export interface Piece {
  text: string
  isLink: boolean
}

export type Values = Readonly<Record<TemplateName, string>>

interface Told {
  type: WebhookEvent | typeof TEST_EVENT
  data: {
    target?: { type: string; number: number | null; title: string | null }
    url?: string | null
    actor?: { username: string | null } | null
    excerpt?: string | null
    status?: { to: string } | null
    version?: string | null
  }
}

/** On one line, with all that would not be seen written out. */
const plain = (text: string | null | undefined): string => shownText(oneLine(text ?? '').trim())

function wordsOf({ type, data: { status, version } }: Told): string {
  if (type === TEST_EVENT) return 'A test'
  const more = status ? ` to ${plain(status.to)}` : version ? ` (${plain(version)})` : ''
  return `${eventWords[type]}${more}`
}

/** What a template can say of an event as it is stored for a webhook. `board` is the name of the board that it is in. */
export function valuesOf(payload: string, { board, baseUrl }: { board: string; baseUrl: string }): Values {
  const told = parseJson<Told>(payload)
  const { target, url, actor, excerpt } = told.data
  const unnamed = target && (target.number === null ? target.type : `${target.type} #${target.number}`)
  const isTest = told.type === TEST_EVENT
  return {
    event: wordsOf(told),
    title: isTest ? 'This webhook works' : plain(target?.title ?? unnamed),
    author: plain(actor?.username),
    url: isTest ? baseUrl : (url ?? ''),
    excerpt: plain(excerpt),
    board: plain(board),
  }
}

const isEmpty = ({ text }: Piece) => text === ''

/** The pieces of one line; none where it names things and none of them is there. */
function piecesOf(line: string, values: Values): Piece[] {
  const parts = line.split(NAMED)
  // Every second part is a name.
  const named = parts.filter((_, at) => at % 2 === 1) as TemplateName[]
  if (named.length > 0 && named.every((name) => values[name] === '')) return []
  return parts
    .map((part, at) => {
      if (at % 2 === 0) return { text: part, isLink: false }
      const name = part as TemplateName
      return { text: values[name], isLink: name === 'url' }
    })
    .filter((piece) => !isEmpty(piece))
}

/** The lines of a message. */
export const linesOf = (template: string | null, values: Values): Piece[][] =>
  (template ?? DEFAULT_TEMPLATE)
    .split('\n')
    .map((line) => piecesOf(line, values))
    .filter((pieces) => pieces.length > 0)

const CUT = '…'

/** How a service writes one character of a text, and a link. */
export interface Writing {
  character(one: string): string
  link(address: string): string
}

/** The beginning of a text that fits, written for a service: never half of what stands for one character. */
function beginning(text: string, room: number, write: Writing['character']): string {
  const units = Array.from(text, write)
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
