// Accounts of other servers that act for an account here: how one is connected, and how a new account is made of one. By issuer and subject; an
// address alone never leads into an account that is there.
import { record } from '../audit/audit.ts'
import { Problem } from '../contract/problem.ts'
import type { Transaction } from '../database/schema.ts'
import type { Context } from '../request/handler.ts'
import { newId } from '../runtime/ids.ts'
import * as accounts from './account-queries.ts'
import { externalActions } from './audit-actions.ts'
import { insertExternalIdentity } from './external-queries.ts'
import { createAccount } from './joining.ts'

/** What another server says of an account. */
export interface ExternalPerson {
  issuer: string
  subject: string
  /** Only one that it verified. */
  email: string | undefined
  name: string | undefined
  /** By what imports know the account, where they have people of the server. */
  sourceId?: string | undefined
  username?: string | undefined
}

/** What the server said of an account just now. */
export const toldBy = ({ sourceId, username }: ExternalPerson, now: string) => ({
  ...{ sourceId: sourceId ?? null, username: username?.toLowerCase() ?? null },
  toldAt: sourceId === undefined && username === undefined ? null : now,
})

type ConnectContext = Pick<Context, 'now' | 'address'>

/** Connects an external account to one here; throws `conflict` where it is connected to another one. */
export async function connectExternal(
  { now, address }: ConnectContext,
  db: Transaction,
  { user, account, usedAt }: { user: Pick<accounts.User, 'id'>; account: ExternalPerson; usedAt: string | null },
): Promise<void> {
  const { issuer, subject, email = null } = account
  const row = {
    ...{ id: newId(), issuer, subject, userId: user.id, email, createdAt: now, lastUsedAt: usedAt },
    ...toldBy(account, now),
  }
  if (!(await insertExternalIdentity(db, row)))
    throw new Problem('conflict', 'This external account signs in to another account here')
  const act = { action: externalActions.link, actorId: user.id, targetType: 'user', targetId: user.id }
  await record(db, now, { ...act, detail: { issuer }, address })
}

/** A new account of an external one, by the rules of sign-up; undefined where its address has an account. */
export async function joinExternal(
  context: Parameters<typeof createAccount>[0],
  db: Transaction,
  account: ExternalPerson & { email: string },
): Promise<accounts.User | undefined> {
  const { email, name = null } = account
  const made = await createAccount(context, db, { email, name, passwordHash: null, isProven: true })
  if (!made) return undefined
  const verified = { emailVerifiedAt: context.now, emailVerifiedBy: 'external' as const }
  const user = await accounts.updateUser(db, made.id, verified)
  await connectExternal(context, db, { user, account, usedAt: context.now })
  return user
}
