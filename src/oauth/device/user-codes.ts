// The codes of a device: how long they last, how often a client polls, and what a person types (RFC 8628, 3.5 and 6.1).
import { randomInt } from 'node:crypto'
import type { OAuthContext } from '../oauth-context.ts'

/** How long a person has to decide. */
export const DEVICE_SECONDS = 600
/** Between two polls; each poll that comes too soon adds five seconds (3.5). */
export const INTERVAL_SECONDS = 5
export const MAX_INTERVAL_SECONDS = 60
/** Polls that a slow network moved together are not too soon. */
const SLACK_MILLISECONDS = 500

/** Whether a poll comes before the interval is over. */
export const isTooSoon = (
  { polledAt, intervalSeconds }: { polledAt: string | null; intervalSeconds: number },
  now: string,
): boolean => polledAt !== null && Date.parse(now) - Date.parse(polledAt) < intervalSeconds * 1000 - SLACK_MILLISECONDS

/** No vowels, so that no words appear, and no letters that look alike (6.1): 20^8 codes are 34.5 bits. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

/** What a person types, as it is compared: eight letters. */
export const newUserCode = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/** `WDJB-MJHT`, as it is shown. */
export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** The code in what was typed, in any case and with any signs between; undefined where it cannot be one. */
export function userCodeIn(typed: string): string | undefined {
  const code = typed
    .slice(0, 100)
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
  return code.length === LENGTH && [...code].every((letter) => LETTERS.includes(letter)) ? code : undefined
}

/** The key that codes to type are hashed with. */
export const userCodeKey = async (parts: OAuthContext): Promise<Buffer> => (await parts.keys()).secretFor('device code')
