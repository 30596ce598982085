// Erases an account whose time has come, step by step (erasure.ts). It is loaded when there is one.
import { record } from '../audit/audit.ts'
import { NO_ADDRESS } from '../contract/no-account.ts'
import type { Db, Transaction } from '../database/schema.ts'
import { deleteKeysOf } from '../request/idempotency-queries.ts'
import { timestamp } from '../runtime/clock.ts'
import { required } from '../runtime/untyped.ts'
import * as accounts from './account-queries.ts'
import { deleteInvitation } from './address-queries.ts'
import { accountActions } from './audit-actions.ts'
import { deleteBrowsersOf } from './browser-queries.ts'
import { deleteChatLinksOf } from './chat-link-queries.ts'
import { forgetCodesOf } from './code-queries.ts'
import * as queries from './deletion-queries.ts'
import type { ErasedAccount, ErasureDependencies, ErasureStep } from './erasure.ts'
import { deleteExternalIdentitiesOf } from './external-queries.ts'
import { deleteFeedKeyOf } from './feed-key-queries.ts'
import { deleteEventsOf } from './grant-life-queries.ts'
import { deleteGrantsOf } from './grant-queries.ts'
import { erasedMail } from './mails.ts'
import { deletePasskeysOf } from './passkey-queries.ts'
import { deleteTrackerAccountsOf } from './tracker-account-queries.ts'
import { deleteWorkloadsOf } from './workload-queries.ts'

/** Erases some of an account whose time has come. `begun` is the step that the batch before gave. Gives the step to go on with, if any. */
export async function eraseBatch(
  dependencies: ErasureDependencies,
  steps: readonly ErasureStep[],
  { userId, begun }: { userId: string; begun: string },
): Promise<string | undefined> {
  const { db } = dependencies
  const name = begun || (await begin(db, steps, userId))
  const account = name && (await queries.findErased(db, userId))
  if (!account) return undefined
  const at = Math.max(
    0,
    steps.findIndex((step) => step.name === name),
  )
  const step = required(steps[at])
  if (await step.erase(dependencies, account)) return step.name
  const next = steps[at + 1]
  if (!next) await db.transaction().execute((transaction) => finish(dependencies, transaction, account))
  return next?.name
}

/** From now on the deletion cannot be cancelled. Undefined when it was; the first step otherwise, or where an earlier process stood. */
function begin(db: Db, [first]: readonly ErasureStep[], userId: string): Promise<string | undefined> {
  return db.transaction().execute(async (transaction) => {
    const user = await accounts.lockUser(transaction, { id: userId })
    const deletion = await queries.lockDeletion(transaction, userId)
    if (!user || !deletion || !first) return undefined
    const step = deletion.step ?? first.name
    await queries.updateDeletion(transaction, userId, { step })
    return step
  })
}

/** The row of the account goes last; what refers to it by the schema goes with it. */
async function finish(
  { clock, outbox, config }: ErasureDependencies,
  db: Transaction,
  { id, email, content }: ErasedAccount,
): Promise<void> {
  const account = await accounts.lockUser(db, { id })
  if (!account) return
  const now = timestamp(clock.now())
  await accounts.deleteUser(db, id)
  await queries.deleteDeletion(db, id)
  const act = { action: accountActions.erase, actorId: null, targetType: 'user', targetId: id }
  await record(db, now, { ...act, detail: { content } })
  // No mail gets to the placeholder of an import.
  if (email.endsWith(`@${NO_ADDRESS}`)) return
  await outbox.enqueue(db, { recipient: email, language: account.language, ...erasedMail(config.baseUrl, content) })
}

/** The credentials of an account, which come first: an account that is being erased cannot be signed in to. */
export const credentialErasure: ErasureStep = {
  name: 'credentials',
  part: 'account',
  clears: [
    ...[
      'session.userId',
      'knownBrowser.userId',
      'knownNetwork.userId',
      'passkey.userId',
      'passkeyChallenge.userId',
      'emailCode.email',
      'emailCode.ownerId',
      'signUpInvitation.email',
    ],
    ...[
      'externalIdentity.userId',
      'externalIdentity.email',
      'externalIdentity.username',
      'user.externalGroups',
      'feedKey.userId',
      'chatLink.userId',
      'chatLink.chatUser',
      'trackerAccount.userId',
      'trackerAccount.personId',
      'trackerAccount.login',
      'pushSubscription.userId',
    ],
    ...[
      'claim.email',
      'grant.userId',
      'oauthToken.userId',
      'personalToken.userId',
      'workload.userId',
      'grantEvent.userId',
      'user.passwordHash',
    ],
    'idempotencyKey.accountId',
  ],
  erase: ({ db }, { id, email }) =>
    db.transaction().execute(async (transaction) => {
      await accounts.lockUser(transaction, { id })
      await forgetCodesOf(transaction, { id, email })
      await deleteInvitation(transaction, { email })
      await accounts.deleteSessionsOf(transaction, id)
      await deletePasskeysOf(transaction, id)
      await deleteExternalIdentitiesOf(transaction, id)
      await deleteWorkloadsOf(transaction, id)
      await deleteFeedKeyOf(transaction, id)
      await deleteChatLinksOf(transaction, id)
      await deleteTrackerAccountsOf(transaction, id)
      await deleteBrowsersOf(transaction, id)
      await deleteGrantsOf(transaction, id)
      await deleteKeysOf(transaction, id)
      await deleteEventsOf(transaction, id)
      await accounts.updateUser(transaction, id, { passwordHash: null, externalGroups: null })
      return false
    }),
}
