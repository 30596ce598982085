// Removes expired rows of accounts.
import type { Db } from '../database/schema.ts'
import * as accounts from './account-queries.ts'
import { deleteUnusedBrowsers } from './browsers.ts'
import { deleteExpiredChallenges } from './passkey-queries.ts'

/** Removes sessions, codes and challenges that expired before `moment`, and browsers that were not used for long. */
export async function deleteExpired(db: Db, moment: string): Promise<void> {
  await accounts.deleteExpired(db, moment)
  await deleteExpiredChallenges(db, moment)
  await deleteUnusedBrowsers(db, moment)
}
