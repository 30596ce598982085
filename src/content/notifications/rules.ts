// Who is mentioned in a text, how members are notified unless they choose otherwise, and when digests are due.
import { type Channel, type NotificationKind, notificationKinds } from '../../contract/kinds.ts'
import { keysOf, recordOf } from '../../contract/records.ts'
import { latest } from '../../runtime/clock.ts'

/** Of one text. */
export const MAX_MENTIONS = 10

/** How many of its newest notifications come with a thing. */
export const LINES_OF_GROUP = 10

/** Code, and lines that quote others. */
export const UNSAID = /^(```|~~~)[\s\S]*?(?:^\1|$(?![\s\S]))|^ {0,3}>.*|`[^`\n]*`/gm
/** The same as the site links (site/src/lib/server/markdown-parser.ts). */
const MENTION = /(?<![\p{L}\p{N}_@#&/.-])@([A-Za-z0-9_-]{3,24})(?![\p{L}\p{N}_])/gu

/** The first names after an @ that are not in code or in a quote, in lower case; without those that `before` mentioned. */
export function mentionsIn(text: string, before = ''): string[] {
  if (!text.includes('@')) return []
  const names = new Set<string>()
  for (const [, name = ''] of text.replace(UNSAID, ' ').matchAll(MENTION)) {
    names.add(name.toLowerCase())
    if (names.size === MAX_MENTIONS) break
  }
  for (const name of before === '' ? [] : mentionsIn(before)) names.delete(name)
  return [...names]
}

export const defaultChannels: Readonly<Record<NotificationKind, Channel>> = {
  mention: 'mail',
  reply: 'mail',
  comment: 'site',
  status: 'site',
  version: 'site',
  release: 'daily',
  posted: 'site',
  invitation: 'mail',
  approval: 'mail',
  report: 'site',
}

export const defaultFollowing = { followWritten: true, followAnswered: true, followVoted: false } as const
/** What is pushed to the browsers of an account, where it has any. */
export const defaultPush = { pushMentions: true, pushApprovals: true } as const
/** Settings that are on or off. */
export const defaultSwitches = { ...defaultFollowing, ...defaultPush }
type Switch = keyof typeof defaultSwitches

type StoredSettings = Partial<Record<NotificationKind, Channel | null> & Record<Switch, 0 | 1 | null>>
export type Settings = Record<NotificationKind, Channel> & Record<Switch, boolean>

/** Settings as they apply: what was not chosen is the default. */
export function settingsOf(stored: StoredSettings = {}): Settings {
  return {
    ...recordOf(notificationKinds, (kind) => stored[kind] ?? defaultChannels[kind]),
    ...recordOf(keysOf(defaultSwitches), (name) => (stored[name] ?? Number(defaultSwitches[name])) === 1),
  }
}

const DAY = 86_400_000
/** Digests are due at this hour, UTC; weekly ones on Mondays. */
const DIGEST_HOUR = 8
/** Monday, 5 January 1970. */
const FIRST_WEEK = 4 * DAY

/** The first moment after `milliseconds` that is whole periods after `first`, and the one after that. */
function following(milliseconds: number, first: number, period: number): [string, string] {
  const start = first + DIGEST_HOUR * 3_600_000
  const next = start + (Math.floor((milliseconds - start) / period) + 1) * period
  return [new Date(next).toISOString(), new Date(next + period).toISOString()]
}

/** The beginning of the current period of a digest: the newest moment at which one was due. */
export const currentPeriod = (now: string, mailing: 'daily' | 'weekly'): string =>
  new Date(Date.parse(digestTimes(now)[mailing][0]) - (mailing === 'daily' ? DAY : 7 * DAY)).toISOString()

/** Mails at once are so far apart: five an hour, as the budget of mails to one address. */
export const PAUSE_SECONDS = 720

/** What a week's digest says may wait for the one after. */
export const LONGEST_WAIT_SECONDS = 14 * 86_400

/** When the digests of what happens now are due, and those of the period after that. */
export const digestTimes = (now: string) => ({
  now,
  latest: latest(now, PAUSE_SECONDS),
  daily: following(Date.parse(now), 0, DAY),
  weekly: following(Date.parse(now), FIRST_WEEK, 7 * DAY),
})

/** Begins the place of an event that is taken away by a block or a hiding; what follows is where its delivery stood. */
export const SET_ASIDE = '!'
/** Begins it while what was taken comes back, and while it waits for a node of the database: then it has a job of its own. */
export const RETURNING = '+'
/** Follows the mark where the delivery was done: its own place is empty then, as before it begins. */
export const DONE = '.'
/** The place after the webhooks, and before the accounts that are named directly, where these wait for a node. */
export const WEBHOOKS_DONE = ','

export const isSetAside = ({ place }: { place: string }): boolean => place.startsWith(SET_ASIDE)

/** Where the delivery of an event on its way back stands. */
export const ownPlaceOf = ({ place }: { place: string }): string =>
  place.startsWith(RETURNING) ? place.slice(RETURNING.length) : place
