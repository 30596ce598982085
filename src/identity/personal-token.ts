// The form of a personal access token: a prefix and a checksum, so that scanners of secrets find it wherever it lies and never take
// another text for one.
import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIX = 'gpat_'
const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 40 letters of 62 are 238 bits. */
const RANDOM_LETTERS = 40
/** 62^6 is more than 2^32. */
const CHECKSUM_LETTERS = 6

const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LETTERS + CHECKSUM_LETTERS}}$`)
const WITHIN_TEXT = new RegExp(
  `(?<![0-9A-Za-z_])${PREFIX}[0-9A-Za-z]{${RANDOM_LETTERS + CHECKSUM_LETTERS}}(?![0-9A-Za-z_])`,
  'g',
)

function checksum(text: string): string {
  let rest = crc32(text)
  let written = ''
  for (let at = 0; at < CHECKSUM_LETTERS; at++) {
    written = LETTERS.charAt(rest % LETTERS.length) + written
    rest = Math.floor(rest / LETTERS.length)
  }
  return written
}

/** A new token. Only its keyed hash is ever stored. */
export function newPersonalToken(): string {
  const random = Array.from({ length: RANDOM_LETTERS }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('')
  return `${PREFIX}${random}${checksum(`${PREFIX}${random}`)}`
}

/** Whether a text has the form and the checksum of a token; no database is needed to refuse others. */
export const isPersonalToken = (text: string): boolean =>
  FORM.test(text) && checksum(text.slice(0, -CHECKSUM_LETTERS)) === text.slice(-CHECKSUM_LETTERS)

/** Where tokens stand in a text: from and to, as `slice` takes them. */
export const personalTokensIn = (text: string): [from: number, to: number][] =>
  [...text.matchAll(WITHIN_TEXT)]
    .filter(([token]) => isPersonalToken(token))
    .map(({ 0: token, index }) => [index, index + token.length])
