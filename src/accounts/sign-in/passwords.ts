// Which passwords are refused: common ones, and the first guesses of an attacker for this account (NIST SP 800-63B, 5.1.1.2).
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Problem } from '../../contract/problem.ts'
import { once } from '../../runtime/once.ts'
import { parseJson, required } from '../../runtime/untyped.ts'

const LIST = '@zxcvbn-ts/language-common/src/passwords.json'
const MIN_LENGTH = 8
const SITE = 'guildhall'

/** Read when a password is first chosen; shorter ones are refused anyway. */
const commonPasswords = once(async (): Promise<ReadonlySet<string>> => {
  const all = parseJson<string[]>(await readFile(fileURLToPath(import.meta.resolve(LIST)), 'utf8'))
  return new Set(all.filter(({ length }) => length >= MIN_LENGTH))
})

interface Owner {
  email: string
  name?: string | null
  username?: string | null
}

/** Throws when the password is a common one, or the account's own address or name; `field` is its name in the request. */
export async function checkPassword(password: string, owner: Owner, field: string): Promise<void> {
  refuseOwn(password, owner, field)
  const common = await commonPasswords()
  if (common.has(asTyped(password))) {
    throw new Problem('invalid_request', `${field}: is too common and easily guessed; choose another`)
  }
}

/** Throws when the password is the account's own address or name. */
export function refuseOwn(password: string, owner: Owner, field: string): void {
  if (!isOwn(asTyped(password), owner)) return
  throw new Problem(
    'invalid_request',
    `${field}: must not be your email address, your name or the name of this site; choose another`,
  )
}

const asTyped = (password: string) => password.normalize('NFKC').trim().toLowerCase()

/** Only letters and digits. */
const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

function isOwn(typed: string, { email, name, username }: Owner): boolean {
  const own = [email, required(email.split('@')[0]), name ?? '', username ?? '', SITE].map(bare)
  return own.includes(bare(typed)) && bare(typed) !== ''
}
