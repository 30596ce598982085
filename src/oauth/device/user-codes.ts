// What a person types to name a device (RFC 8628, 6.1).
import { randomInt } from 'node:crypto'

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
