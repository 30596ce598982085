// The form of a secret that the server makes: a prefix, random letters and a checksum, so that scanners of secrets find it wherever it lies and
// never take another text for one.
import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62^6 is more than 2^32. */
const CHECKSUM_LETTERS = 6

function checksum(text: string): string {
  let rest = crc32(text)
  let written = ''
  for (let at = 0; at < CHECKSUM_LETTERS; at++) {
    written = LETTERS.charAt(rest % LETTERS.length) + written
    rest = Math.floor(rest / LETTERS.length)
  }
  return written
}

/** Secrets with a prefix and so many random letters of 62. */
function checkedSecrets(prefix: string, randomLetters: number) {
  const letters = `${prefix}[0-9A-Za-z]{${randomLetters + CHECKSUM_LETTERS}}`
  const [whole, within] = [new RegExp(`^${letters}$`), new RegExp(`(?<![0-9A-Za-z_])${letters}(?![0-9A-Za-z_])`, 'g')]
  const is = (text: string): boolean =>
    whole.test(text) && checksum(text.slice(0, -CHECKSUM_LETTERS)) === text.slice(-CHECKSUM_LETTERS)
  return {
    /** A new one. */
    make(): string {
      const random = Array.from({ length: randomLetters }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('')
      return `${prefix}${random}${checksum(`${prefix}${random}`)}`
    },
    /** Whether a text has the form and the checksum of one; no database is needed to refuse others. */
    is,
    /** Where some stand in a text: from and to, as `slice` takes them. */
    placesIn: (text: string): [from: number, to: number][] =>
      [...text.matchAll(within)]
        .filter(([found]) => is(found))
        .map(({ 0: found, index }) => [index, index + found.length]),
  }
}

// The form of the secret of an app that an admin registered. Only its keyed hash is ever stored.

/** 43 letters of 62 are 256 bits. */
export const { make: newClientSecret, is: isClientSecret, placesIn: clientSecretsIn } = checkedSecrets('gclient_', 43)

// The form of a personal access token. Only its keyed hash is ever stored.

/** 40 letters of 62 are 238 bits. */
export const { make: newPersonalToken, is: isPersonalToken, placesIn: personalTokensIn } = checkedSecrets('gpat_', 40)
