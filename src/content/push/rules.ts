// What is decided about notifications that are pushed to browsers, without touching the world.
import type { NotificationKind } from '../../contract/kinds.ts'

/** Browsers of one account. */
export const MAX_SUBSCRIPTIONS = 10
export const MAX_ENDPOINT_LENGTH = 1_000
/** Of a message before it is encrypted, in bytes. A push service takes 4096 bytes of what comes out (RFC 8030, 7.2). */
export const MAX_PAYLOAD_BYTES = 3_072
/** How long a message waits here, and after that at the push service. */
export const KEEP_SECONDS = 86_400
/** A browser whose push service fails for so long is removed. */
export const FAILING_SECONDS = 7 * 86_400
/** Of one request. */
export const TIMEOUT_MILLISECONDS = 10_000
export const MAX_PAUSE_SECONDS = 3_600
const FIRST_PAUSE_SECONDS = 10

/** What is pushed, and the setting that turns it off. */
export const pushSettings = {
  mention: 'pushMentions',
  approval: 'pushApprovals',
} as const satisfies Partial<Record<NotificationKind, string>>
export type PushedKind = keyof typeof pushSettings

export const isPushed = (kind: string): kind is PushedKind => Object.hasOwn(pushSettings, kind)

/** The pause after so many failures: 10 s, 20 s, 40 s, ... at most an hour, and up to a fifth more or less. `random` is from 0 to 1. */
export function pauseSeconds(failures: number, random: number): number {
  const pause = Math.min(FIRST_PAUSE_SECONDS * 2 ** (Math.min(failures, 20) - 1), MAX_PAUSE_SECONDS)
  return pause * (0.8 + 0.4 * random)
}

export type Outcome = 'delivered' | 'ended' | 'refused' | 'failed'

/** What the answer of a push service means; null for none (RFC 8030, 5 and 7.3). */
export function outcomeOf(status: number | null): Outcome {
  if (status === null || status === 429 || status >= 500) return 'failed'
  if (status >= 200 && status < 300) return 'delivered'
  return status === 404 || status === 410 ? 'ended' : 'refused'
}

export interface PushText {
  title: string
  body: string
  /** A path of the site. */
  url: string
  /** A browser shows one message of a tag. */
  tag: string
}

const TITLE_CHARACTERS = 100
const BODY_CHARACTERS = 300

const cut = (text: string, characters: number): string => {
  const all = [...text]
  return all.length <= characters ? text : `${all.slice(0, characters - 1).join('')}…`
}

/** The message as it is sent; texts are cut, and an address that is too long leads to the inbox. */
export function payloadOf({ title, body, url, tag }: PushText): Buffer {
  const short = { title: cut(title, TITLE_CHARACTERS), body: cut(body, BODY_CHARACTERS), url, tag }
  const whole = Buffer.from(JSON.stringify(short))
  return whole.length <= MAX_PAYLOAD_BYTES ? whole : Buffer.from(JSON.stringify({ ...short, url: '/notifications' }))
}
