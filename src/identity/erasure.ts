// The erasure of accounts, in the background. Each slice declares its steps: what they clear, and how to clear some of it in a short
// transaction. A step finds what is left by itself, so that a process that ends loses nothing and another one goes on.
import { setTimeout as sleep } from 'node:timers/promises'
import { record } from '../audit/audit.ts'
import type { Db, Transaction } from '../database/schema.ts'
import type { Dependencies } from '../request/handler.ts'
import { after, latest, timestamp } from '../runtime/clock.ts'
import * as accounts from './account-queries.ts'
import { accountActions } from './audit-actions.ts'
import { erasedMail } from './deletion-mails.ts'
import * as queries from './deletion-queries.ts'

/** Rows that a step works on in one transaction. */
export const ERASURE_BATCH = 50
/** A process that ends leaves its work to others after this time. */
const LEASE_SECONDS = 120

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

/** Removes or anonymises everything an account wrote, voted for and reacted to. May be called again after an interruption. */
export async function eraseContent(
  dependencies: ErasureDependencies,
  steps: readonly ErasureStep[],
  account: ErasedAccount,
): Promise<void> {
  for (const step of steps) {
    if (step.part === 'content') await runStep(dependencies, step, { account })
  }
}

/** Between batches it pauses for as long as a batch takes. */
async function runStep(
  dependencies: ErasureDependencies,
  step: ErasureStep,
  { account, onBatch = async () => {} }: { account: ErasedAccount; onBatch?: () => Promise<void> },
): Promise<void> {
  for (;;) {
    const started = performance.now()
    if (!(await step.erase(dependencies, account))) return
    await onBatch()
    await sleep(Math.min(20, performance.now() - started))
  }
}

/** Erases the accounts whose time has come by `due`, one after the other. An account that fails is tried again later. */
export async function eraseDue(
  dependencies: ErasureDependencies,
  steps: readonly ErasureStep[],
  due: string,
): Promise<void> {
  const { db, clock, log } = dependencies
  for (;;) {
    const now = timestamp(clock.now())
    const found = await queries.findDue(db, { due, now, latest: latest(now, LEASE_SECONDS) })
    if (!found) return
    const taken = await take(dependencies, steps, found.userId)
    if (!taken) continue
    await erase(dependencies, steps, taken).catch((error: unknown) =>
      log.error({ err: error, userId: taken.id }, 'an account could not be erased; it is tried again later'),
    )
  }
}

type Taken = ErasedAccount & { step: string }

const leaseFrom = ({ clock }: ErasureDependencies) => after(timestamp(clock.now()), LEASE_SECONDS)

/** From now on the deletion cannot be cancelled. Undefined when it was, or when another process was faster. */
function take(
  dependencies: ErasureDependencies,
  [first]: readonly ErasureStep[],
  userId: string,
): Promise<Taken | undefined> {
  return dependencies.db.transaction().execute(async (transaction) => {
    const user = await accounts.lockUser(transaction, { id: userId })
    const deletion = await queries.lockDeletion(transaction, userId)
    const now = timestamp(dependencies.clock.now())
    if (!user || !deletion || !first) return undefined
    if (deletion.leasedUntil > now && deletion.leasedUntil <= latest(now, LEASE_SECONDS)) return undefined
    const step = deletion.step ?? first.name
    await queries.updateDeletion(transaction, userId, { step, leasedUntil: leaseFrom(dependencies) })
    return { id: userId, email: user.email, content: deletion.content, step }
  })
}

async function erase(
  dependencies: ErasureDependencies,
  steps: readonly ErasureStep[],
  { step: begun, ...account }: Taken,
): Promise<void> {
  const { db } = dependencies
  const start = Math.max(
    0,
    steps.findIndex(({ name }) => name === begun),
  )
  const renew = (step: string) => queries.updateDeletion(db, account.id, { step, leasedUntil: leaseFrom(dependencies) })
  for (const step of steps.slice(start)) {
    await renew(step.name)
    await runStep(dependencies, step, { account, onBatch: () => renew(step.name) })
  }
  await db.transaction().execute((transaction) => finish(dependencies, transaction, account))
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
