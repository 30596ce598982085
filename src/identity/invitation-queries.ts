// Invitations to sign up, one for an address. The mailbox is proven by a mailed code; an invitation alone opens nothing.
import { countChanged } from '../database/engine.ts'
import type { Db, SignUpInvitationTable, Transaction } from '../database/schema.ts'

/** Stores an invitation; one of the same address is replaced. */
export async function putInvitation(db: Transaction, invitation: SignUpInvitationTable): Promise<void> {
  const { createdAt, expiresAt } = invitation
  await db
    .insertInto('signUpInvitation')
    .values(invitation)
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ createdAt, expiresAt }))
    .execute()
}

export function findInvitation(db: Db, by: { email: string } | { id: string }, now: string) {
  return db
    .selectFrom('signUpInvitation')
    .selectAll()
    .where((e) => e.and(by))
    .where('expiresAt', '>', now)
    .executeTakeFirst()
}

/** Open ones, newest first. */
export function listInvitations(db: Db, now: string): Promise<SignUpInvitationTable[]> {
  const open = db.selectFrom('signUpInvitation').selectAll().where('expiresAt', '>', now)
  return open.orderBy('createdAt', 'desc').orderBy('id', 'desc').execute()
}

export async function deleteInvitation(db: Db, by: { email: string } | { id: string }): Promise<boolean> {
  const deletion = db.deleteFrom('signUpInvitation').where((e) => e.and(by))
  return (await countChanged(deletion)) > 0
}
