// What the rest of Guildhall may ask of accounts.
import type { Db } from '../database/schema.ts'
import { deleteUnusedBrowsers } from './browsers/browsers.ts'
import { deleteExpiredChallenges } from './passkeys/passkeys.ts'
import * as queries from './queries.ts'

export { avatarUrl } from './avatar-url.ts'
export { enterByMailbox } from './mailbox.ts'
export type { User } from './queries.ts'
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
} from './queries.ts'
export { blockUser, changeRole, grantConfiguredAdmins, grantRole, unblockUser } from './roles.ts'
export { cookieName, findSessionCaller, sessionCookie } from './sessions/sessions.ts'

/** Removes sessions, codes and challenges that ended before `moment`, and browsers that were not used for long. */
export async function deleteExpired(db: Db, moment: string): Promise<void> {
  await queries.deleteExpired(db, moment)
  await deleteExpiredChallenges(db, moment)
  await deleteUnusedBrowsers(db, moment)
}
