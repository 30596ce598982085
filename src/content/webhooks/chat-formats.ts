// What each service is sent of an event, by whom it knows the sender, and what its answers mean.
import type { WebhookFormat } from '../../contract/webhook-events.ts'
import { type ChatFormat, messages } from '../../formats/chat.ts'
import { objectIn } from '../../runtime/json.ts'
import { linesOf, type Values } from './chat-template.ts'
import { MAX_PAUSE_SECONDS } from './rules.ts'

/** What a service is sent of an event. */
export const chatBody = (format: ChatFormat, template: string | null, values: Values): string =>
  JSON.stringify(messages[format](linesOf(template, values)))

const ROOM = /^(?:\/[\w.~-]+)*\/_matrix\/client\/v3\/rooms\/(?:!|%21)[^/]{1,512}$/

/** What an address that is a secret is shown with in place of its path. */
const SHOWN = '…'
const SHOWN_PATH = `/${encodeURIComponent(SHOWN)}`

/** Why an address is none of a format. */
export function wrongAddress(format: WebhookFormat, url: string): string | undefined {
  const { pathname } = new URL(url)
  if (isSecretAddress(format) && pathname === SHOWN_PATH)
    return 'url: must be the whole address, which is not shown here'
  if (format !== 'matrix') return undefined
  return ROOM.test(pathname) && !/[?#]/.test(url)
    ? undefined
    : 'url: must be a room of a Matrix server, as in https://matrix.example.com/_matrix/client/v3/rooms/!room:example.com'
}

/** How a message is sent. Matrix knows a repeat by the id of the delivery. */
export const methodOf = (format: WebhookFormat): 'POST' | 'PUT' => (format === 'matrix' ? 'PUT' : 'POST')

export const addressOf = (format: WebhookFormat, url: string, deliveryId: string): string =>
  format === 'matrix' ? `${url}/send/m.room.message/${encodeURIComponent(deliveryId)}` : url

/** An address that is a secret itself as it is shown and kept: its server. */
export const shownAddress = (format: WebhookFormat, url: string): string =>
  format === 'guildhall' || format === 'matrix' ? url : `${new URL(url).origin}/${SHOWN}`

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
