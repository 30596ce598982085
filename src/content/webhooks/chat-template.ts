// What a message in a chat says of an event, before it has the form of a service: pieces of text and links, in the words of a template. Values are
// put in once and never read again, so that nothing in them is a name, a link or a line.
import { oneLine } from '../../contract/storable.ts'
import {
  DEFAULT_TEMPLATE,
  eventWords,
  NAMED,
  TEST_EVENT,
  type TemplateName,
  type WebhookEvent,
} from '../../contract/webhook-events.ts'
import type { Piece } from '../../formats/chat.ts'
import { shownText } from '../../formats/visible.ts'
import { parseJson } from '../../runtime/untyped.ts'

export type Values = Readonly<Record<TemplateName, string>>

interface StoredEvent {
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

function wordsOf({ type, data: { status, version } }: StoredEvent): string {
  if (type === TEST_EVENT) return 'A test'
  const more = status ? ` to ${plain(status.to)}` : version ? ` (${plain(version)})` : ''
  return `${eventWords[type]}${more}`
}

/** What a template can say of an event as it is stored for a webhook. `board` is the name of the board that it is in. */
export function valuesOf(payload: string, { board, baseUrl }: { board: string; baseUrl: string }): Values {
  const told = parseJson<StoredEvent>(payload)
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
    .filter(({ text }) => text !== '')
}

const linesIn = (template: string, values: Values): Piece[][] =>
  template
    .split('\n')
    .map((line) => piecesOf(line, values))
    .filter((pieces) => pieces.length > 0)

/** The lines of a message. Services refuse an empty one: where a template has nothing to say, the default one does. */
export function linesOf(template: string | null, values: Values): Piece[][] {
  const lines = linesIn(template ?? DEFAULT_TEMPLATE, values)
  return lines.length > 0 ? lines : linesIn(DEFAULT_TEMPLATE, values)
}
