// What the role of a reader counts for on pages: for nothing while it needs a passkey that the session did not use, as with the API.
import type { Account } from '../../../src/accounts/sign-in/contract.ts'

type Reader = Pick<Account, 'role' | 'passkeyNeeded'> | undefined

/** Whether the reader acts as a moderator or an admin. */
export const moderates = (reader: Reader): boolean =>
  reader !== undefined && reader.role !== 'member' && !reader.passkeyNeeded

export const administers = (reader: Reader): boolean => moderates(reader) && reader?.role === 'admin'
