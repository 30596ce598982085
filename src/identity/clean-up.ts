// Removes expired rows of accounts.
import { deleteUntil } from '../database/expiry.ts'
import type { Db } from '../database/schema.ts'
import { after } from '../runtime/clock.ts'
import { BROWSER_SECONDS, NETWORK_SECONDS } from './browsers.ts'

/** Removes sessions, codes and challenges that have expired, and browsers whose cookie has. */
export async function deleteExpired(db: Db, now: string): Promise<void> {
  await deleteUntil(db, { table: 'session', key: 'id', since: 'expiresAt' }, now)
  await deleteUntil(db, { table: 'emailCode', key: 'id', since: 'expiresAt' }, now)
  await deleteUntil(db, { table: 'emailChange', key: 'id', since: 'undoUntil' }, now)
  await deleteUntil(db, { table: 'signUpInvitation', key: 'id', since: 'expiresAt' }, now)
  await deleteUntil(db, { table: 'passkeyChallenge', key: 'challengeHash', since: 'expiresAt' }, now)
  await deleteUntil(db, { table: 'knownBrowser', key: 'tokenHash', since: 'seenAt' }, after(now, -BROWSER_SECONDS))
  await deleteUntil(db, { table: 'knownNetwork', key: 'networkHash', since: 'seenAt' }, after(now, -NETWORK_SECONDS))
}
