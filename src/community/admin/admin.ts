// What the operator does to accounts at the command line: the same as admins do, by the rules that hold without an actor.
import type { Transaction } from '../../database/schema.ts'
import type { User } from '../../identity/account-queries.ts'
import { cancelDeletion, requestDeletion } from '../../identity/deletion.ts'
import { resetAccount } from '../../identity/verify-email.ts'
import type { Dependencies } from '../../request/handler.ts'
import { lockForOperator, setBlock, tellOfBlock } from './blocking.ts'

export { setProvidersBlock } from './blocking.ts'
export { admin } from './contract.ts'
export { pageOfUsers } from './queries.ts'

type OperatorContext = Pick<Dependencies, 'db' | 'config' | 'outbox' | 'secretFor' | 'removeActing'> & { now: string }

/** What the operator does to an account that is locked. */
type AccountAct<Result> = (
  by: Omit<OperatorContext, 'db'> & { actorId: null; reason: string | null },
  db: Transaction,
  target: User,
) => Promise<Result>

interface Target {
  id: string
  reason: string | null
  /** Whether an admin is lost by it: then another one must be there. */
  needsAnotherAdmin: boolean
}

function actOn<Result>(
  { db, ...context }: OperatorContext,
  { id, reason, needsAnotherAdmin }: Target,
  work: AccountAct<Result>,
): Promise<Result> {
  return db.transaction().execute(async (transaction) => {
    const target = await lockForOperator(transaction, { id, needsAnotherAdmin })
    return work({ ...context, actorId: null, reason }, transaction, target)
  })
}

/** Blocks an account or lets it in again; gives since when it is blocked. The last admin cannot be blocked. */
export function blockByOperator(
  context: OperatorContext,
  { id, blocked, reason }: { id: string; blocked: boolean; reason: string | null },
): Promise<{ blockedAt: string | null }> {
  return actOn(context, { id, reason, needsAnotherAdmin: blocked }, async (by, db, target) => {
    const { now, actorId, config } = by
    const change = { target, blocked, reason }
    const { blockedAt, isChanged } = await setBlock({ now, actorId, scim: config.scim }, db, {
      ...change,
      byAdmin: true,
    })
    if (isChanged) await tellOfBlock(by, db, change)
    return { blockedAt }
  })
}

/** Has an account erased in 14 days. The last admin cannot be deleted. */
export function deleteByOperator(
  context: OperatorContext,
  { id, content, reason }: { id: string; content: 'delete' | 'anonymise'; reason: string | null },
): Promise<{ eraseAt: string }> {
  return actOn(
    context,
    { id, reason, needsAnotherAdmin: true },
    ({ secretFor: _, removeActing: __, ...by }, db, user) =>
      requestDeletion(by, db, { user, content, requestedBy: 'admin' }),
  )
}

/** Cancels the deletion of an account, also of one that its owner requested. */
export function keepByOperator(context: OperatorContext, { id, reason }: { id: string; reason: string | null }) {
  return actOn(
    context,
    { id, reason, needsAnotherAdmin: false },
    ({ secretFor: _, removeActing: __, ...by }, db, user) => cancelDeletion(by, db, { user, byAdmin: true }),
  )
}

/** Removes every credential of an account, and mails its owner how to get in again. */
export function resetByOperator(context: OperatorContext, { id, reason }: { id: string; reason: string | null }) {
  return actOn(context, { id, reason, needsAnotherAdmin: false }, ({ secretFor: _, ...by }, db, user) =>
    resetAccount(by, db, user),
  )
}
