// One moment of each account ends every credential that was issued before it (behaviour.md, section 5). It is set where an account changes
// hands: the rows go in the same transaction, and a row that is left over is refused where it is read.

import { deleteUntil } from '../database/expiry.ts'
import type { Db, Transaction } from '../database/schema.ts'
import { after } from '../runtime/clock.ts'
import * as accounts from './account-queries.ts'
import { BROWSER_SECONDS } from './browsers.ts'
import { deleteChatLinksOf } from './chat-link-queries.ts'
import { deleteCodesOf } from './code-queries.ts'
import { deleteFeedKeyOf } from './feed-key-queries.ts'
import { deleteGrantsOf } from './grant-queries.ts'
import { deleteEndedLinks, revokeLinksOf } from './invitation-queries.ts'
import { CODE_FAILURES, KEPT_LINK_DAYS } from './rules.ts'
import { queueSignal } from './signal-queries.ts'
import { deleteTrackerAccountsOf } from './tracker-account-queries.ts'

/**
 * Everything that acts for an account or leads to something that does. test/credentials.test.ts makes one of each, and proves that all of
 * them end with the account's moment.
 */
export const credentialKinds = [
  'session',
  'opaque token',
  'handed-on token',
  'publishing token',
  'personal token',
  'JWT',
  'JWT without its grant',
  'refresh token',
  'authorization code',
  'device code',
  'mailed code',
  'claim',
  'waiting act',
  'feed key',
  'chat link',
  'tracker link',
  'invitation link',
] as const
export type CredentialKind = (typeof credentialKinds)[number]

/** Where each table that keeps a secret, its hash or a key belongs: to which kinds, or why it is none. */
export const secretTables: Readonly<Record<string, readonly CredentialKind[] | string>> = {
  session: ['session'],
  oauthToken: ['opaque token', 'handed-on token', 'publishing token', 'refresh token', 'authorization code'],
  personalToken: ['personal token'],
  deviceCode: ['device code'],
  emailCode: ['mailed code'],
  claim: ['claim'],
  feedKey: ['feed key'],
  chatLink: ['chat link'],
  trackerAccount: ['tracker link'],
  user: 'the password: it stays, but for a take-over and a reset',
  passkey: 'stays, but for a take-over and a reset',
  passkeyChallenge: 'is good with a passkey or a session alone',
  publisherKey: 'signs, and authorizes no caller; revoked by a take-over and a reset',
  webhook: 'sends, and authorizes no caller; removed by a take-over and a reset',
  pushSubscription: 'is sent to, and authorizes no caller; removed with the sessions',
  pushKey: 'is of the server',
  knownBrowser: 'separates tries, and authorizes no caller',
  knownNetwork: 'separates requests for codes, and authorizes no caller',
  emailChange: 'gives an account back to its old mailbox',
  dpopProof: 'was used already',
  usedProof: 'was used already',
  pushedRequest: 'is good with a session alone',
  idTokenKey: 'is of the server',
  setup: 'makes the first account, and is over with it',
  scimToken: 'is of the instance, which an admin gave a provider; it lets no one in',
  secretClient: 'is of the instance, which an admin gave an app; it lets no one in without an assertion of a provider',
  tracker: 'is of the instance: a token of another tracker, and the secret of its deliveries, which an admin gave',
  widgetKey: 'is of the instance, which an admin gave a site; what it signs acts as accounts of that site alone',
  invitationLink: ['invitation link'],
  idempotencyKey: 'is good with a credential of the account alone',
}

interface EndedCounts {
  sessions: number
  apps: number
}

/** Invalidates every code that was mailed for an account: to its address, and to one that is to become it. */
export const endCodes = (db: Transaction, { id, email }: { id: string; email: string }): Promise<void> =>
  deleteCodesOf(db, { id, email }, CODE_FAILURES)

/**
 * Ends what was issued for a locked account before `now`: sessions, grants with their tokens and codes, mailed codes, claims, links of
 * chats and trackers, and those that invite. Acts that wait are those of grants.
 */
export async function endCredentials(
  db: Transaction,
  user: accounts.User,
  now: string,
): Promise<{ user: accounts.User; ended: EndedCounts }> {
  const ended = { sessions: await accounts.deleteSessionsOf(db, user.id), apps: await deleteGrantsOf(db, user.id) }
  if (ended.sessions > 0) await queueSignal(db, user.id, now)
  await endCodes(db, user)
  await deleteFeedKeyOf(db, user.id)
  await deleteChatLinksOf(db, user.id)
  await deleteTrackerAccountsOf(db, user.id)
  await revokeLinksOf(db, user.id, now)
  const credentialsValidFrom = issuedNow(user, now)
  return { user: await accounts.updateUser(db, user.id, { credentialsValidFrom }), ended }
}

/** When something is issued for a locked account: never before its moment, whichever process set that. */
export const issuedNow = (
  { credentialsValidFrom }: Pick<accounts.User, 'credentialsValidFrom'>,
  now: string,
): string => (credentialsValidFrom !== null && credentialsValidFrom > now ? credentialsValidFrom : now)

/**
 * Whether a signed token without a row is still good, by the second in which it was issued. It must be a later one than that of the
 * moment: within a second the order is not known.
 */
export function isSignedSince(
  { credentialsValidFrom }: Pick<accounts.User, 'credentialsValidFrom'>,
  issuedAtSecond: number,
): boolean {
  return credentialsValidFrom === null || issuedAtSecond > Math.floor(Date.parse(credentialsValidFrom) / 1000)
}

/** A request that is read slowly counts from its beginning: what it used is remembered for so long after its end. */
const SLOW_SECONDS = 3_600

/**
 * Removes sessions, codes and challenges that have expired, browsers whose cookie has, networks after so many days, and links that invite a
 * while after their end.
 */
export async function deleteExpired(db: Db, now: string, networkDays: number): Promise<void> {
  await deleteUntil(db, { table: 'session', key: 'id', since: 'expiresAt' }, now)
  await deleteUntil(db, { table: 'emailCode', key: 'id', since: 'expiresAt' }, now)
  await deleteUntil(db, { table: 'emailChange', key: 'id', since: 'undoUntil' }, now)
  await deleteUntil(db, { table: 'signUpInvitation', key: 'id', since: 'expiresAt' }, now)
  await deleteEndedLinks(db, after(now, -KEPT_LINK_DAYS * 86_400))
  await deleteUntil(db, { table: 'passkeyChallenge', key: 'challengeHash', since: 'expiresAt' }, now)
  await deleteUntil(db, { table: 'trackerAccount', key: 'codeHash', since: 'expiresAt' }, now)
  await deleteUntil(db, { table: 'usedProof', key: 'hash', since: 'expiresAt' }, after(now, -SLOW_SECONDS))
  await deleteUntil(db, { table: 'knownBrowser', key: 'tokenHash', since: 'seenAt' }, after(now, -BROWSER_SECONDS))
  await deleteUntil(
    db,
    { table: 'knownNetwork', key: 'networkHash', since: 'seenAt' },
    after(now, -networkDays * 86_400),
  )
}
