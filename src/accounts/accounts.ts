// What the rest of Guildhall may ask of accounts.
import type { Db } from '../database/schema.ts'
import * as queries from '../identity/account-queries.ts'
import { deleteUnusedBrowsers } from '../identity/browsers.ts'
import { deleteExpiredChallenges } from './passkeys/passkeys.ts'

export type { User } from '../identity/account-queries.ts'
export {
  findSession,
  findUserByUsername,
  getUser,
  lockUserByEmail,
  lockUsersAndAdmins,
  shareSession,
  updateAvatar,
  updateNames,
  updateUsername,
} from '../identity/account-queries.ts'
export { avatarUrl } from '../identity/avatar-url.ts'
export { enterByMailbox } from '../identity/mailbox.ts'
export { blockUser, changeRole, grantConfiguredAdmins, grantRole, unblockUser } from '../identity/roles.ts'
export { cookieName, findSessionCaller, sessionCookie } from '../identity/sessions.ts'

/** Removes sessions, codes and challenges that ended before `moment`, and browsers that were not used for long. */
export async function deleteExpired(db: Db, moment: string): Promise<void> {
  await queries.deleteExpired(db, moment)
  await deleteExpiredChallenges(db, moment)
  await deleteUnusedBrowsers(db, moment)
}
