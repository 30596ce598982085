// The erasure of accounts, in the background. Each slice declares its steps: what they clear, and how to clear some of it in a short
// transaction. A step finds what is left by itself, so that a process that ends loses nothing and another one goes on.
import { record } from '../audit/audit.ts'
import type { Db, Transaction } from '../database/schema.ts'
import type { Dependencies } from '../request/handler.ts'
import { deleteKeysOf } from '../request/idempotency-queries.ts'
import { timestamp } from '../runtime/clock.ts'
import { required } from '../runtime/untyped.ts'
import * as accounts from './account-queries.ts'
import { deleteInvitation } from './address-queries.ts'
import { accountActions } from './audit-actions.ts'
import { deleteBrowsersOf } from './browser-queries.ts'
import { forgetCodesOf } from './code-queries.ts'
import * as queries from './deletion-queries.ts'
import { deleteExternalIdentitiesOf } from './external-queries.ts'
import { deleteFeedKeyOf } from './feed-key-queries.ts'
import { deleteEventsOf } from './grant-life-queries.ts'
import { deleteGrantsOf } from './grant-queries.ts'
import { erasedMail } from './mails.ts'
import { deletePasskeysOf } from './passkey-queries.ts'

/** Rows that a step works on in one transaction. */
export const ERASURE_BATCH = 50

export interface ErasedAccount {
  id: string
  email: string
  /** What becomes of what the account wrote. What only its owner sees is deleted either way. */
  content: 'delete' | 'anonymise'
}

export type ErasureDependencies = Pick<Dependencies, 'db' | 'blobs' | 'log' | 'clock' | 'outbox' | 'config'>

export interface ErasureStep {
  /** Unique; stored, so that another process goes on with it. */
  name: string
  /** What the account wrote and did in public, or what belongs to the account itself. */
  part: 'content' | 'account'
  /** Columns (`table.column`) in which nothing names the account after the step. */
  clears: readonly string[]
  /** Clears some of it. Gives whether there may be more. */
  erase(dependencies: ErasureDependencies, account: ErasedAccount): Promise<boolean>
}

/** A step that clears the rows of an account itself, some at a time: `clear` takes at most so many, and gives how many it found. */
export const clearing = (
  name: string,
  clears: readonly string[],
  clear: (db: Db, userId: string, limit: number) => Promise<number>,
): ErasureStep => ({
  ...{ name, part: 'account', clears },
  erase: async ({ db }, { id }) => (await clear(db, id, ERASURE_BATCH)) === ERASURE_BATCH,
})

/** What goes with the row of the account, after all steps. */
export const clearedAtTheEnd = [
  ...['user.id', 'user.email', 'profile.userId', 'accountDeletion.userId', 'accountSweep.userId', 'dataExport.userId'],
  ...['emailChange.userId', 'emailChange.oldEmail'],
  ...['searchText.id', 'searchDocument.id'],
] as const

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
    ...['externalIdentity.userId', 'externalIdentity.email', 'user.externalGroups', 'feedKey.userId'],
    ...[
      'claim.email',
      'grant.userId',
      'oauthToken.userId',
      'personalToken.userId',
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
      await deleteFeedKeyOf(transaction, id)
      await deleteBrowsersOf(transaction, id)
      await deleteGrantsOf(transaction, id)
      await deleteKeysOf(transaction, id)
      await deleteEventsOf(transaction, id)
      await accounts.updateUser(transaction, id, { passwordHash: null, externalGroups: null })
      return false
    }),
}
